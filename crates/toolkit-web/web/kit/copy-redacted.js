//! The button that copies a text without its secrets, shown next to the plain Copy button.

import { iconButton } from './el.js';
import { part } from './lazy.js';
import { words } from './words.js';

const MASK =
  'M2 2l12 12M3.500 5.500C2.300 6.600 1.500 8 1.500 8S4 12.500 8 12.500c1.100 0 2.100-.3 3-.8M6.600 3.700c.5-.1.900-.2 1.400-.2 4 0 6.500 4.500 6.500 4.500s-.6 1.100-1.700 2.300';

/** Shorter texts have no such button. */
export const SHARED = 40;

/** Starts hidden. @param {() => string} text @param {() => HTMLElement} place the element before the sentence about the copy @param {string} [of] the heading of the text */
export const withoutButton = (text, place, of) =>
  iconButton(
    MASK,
    words.without(of),
    async (from) => {
      const redact = await part(words.parts.redact, () => import('./redact.js'));
      await redact?.copyWithout(text(), from, place());
    },
    { class: 'icon small without', hidden: true },
  );
