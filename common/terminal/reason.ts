/** Returns the message of an error with that of its cause, which alone says what failed below `fetch`. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  // Of a name with several addresses, each has a reason, and the message is empty.
  const causes: unknown[] = cause instanceof AggregateError ? cause.errors : [cause];
  const reasons = causes.filter((each) => each instanceof Error).map(({ message }) => message);
  return [error.message, ...new Set(reasons)].join(': ');
}

/** The errors of files that people make, by their codes. */
const EXPLAINED: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EEXIST: 'it exists already, and is not overwritten',
  EISDIR: 'it is a folder',
  ENOTDIR: 'a part of its path is no folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ELOOP: 'its links lead back to themselves',
  ENAMETOOLONG: 'its name is too long',
  EMFILE: 'too many files are open',
};

/** Returns why a file cannot be read or written, for a person. */
export function explained(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return EXPLAINED[code] ?? reasonOf(error);
}
