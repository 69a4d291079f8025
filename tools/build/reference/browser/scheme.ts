import { stored } from './stored.ts';

// Runs before the first paint, so that a page in chosen colours does not begin in others. A script of its own, because
// the policy of the page allows none within it.

const scheme = stored('scheme');
if (scheme === 'light' || scheme === 'dark') document.documentElement.dataset['scheme'] = scheme;
