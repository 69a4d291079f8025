-- Which command of the operator has begun with the brand and not ended yet: a deletion or an import, which take several
-- transactions. The brand is half there, so nothing may take it for whole. No request reads it: a brand that is being
-- deleted has no keys, and one that is being imported has none that anybody knows.
alter table brands add column unfinished text check (unfinished = 'delete' or unfinished = 'import');
