import { addCopyButtons } from './copy.ts';
import { closeMenuAfterChoice } from './menu.ts';
import { showOwnOrigin } from './origin.ts';
import { markCurrentPlace } from './place.ts';
import { shareLanguage } from './language.ts';

// The page is complete without this script. It adds what only a script can know or do.

showOwnOrigin();
shareLanguage();
addCopyButtons();
markCurrentPlace();
closeMenuAfterChoice();
