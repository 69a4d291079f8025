import { addCopyButtons } from './copy.ts';
import { shareLanguage } from './language.ts';
import { addMarkdownButtons } from './markdown.ts';
import { closeMenuAfterChoice } from './menu.ts';
import { showOwnOrigin } from './origin.ts';
import { markCurrentPlace } from './place.ts';
import { addSchemeSwitch } from './scheme-switch.ts';
import { addSearch } from './search.ts';
import { addTry } from './try.ts';

// The page is complete without this script. It adds what only a script can know or do.

showOwnOrigin();
shareLanguage();
addCopyButtons();
addMarkdownButtons();
addSchemeSwitch();
addSearch();
addTry();
markCurrentPlace();
closeMenuAfterChoice();
