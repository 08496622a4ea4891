//! The strength of a password: a bar, the time to guess it, and what that assumes.

/** The bits that fill the bar. */
const FULL = 128;
/** [the least bits, what they are called, tone] @type {[number, string, string][]} */
const LEVELS = [
  [80, 'Strong', 'good'],
  [56, 'Fair', 'note'],
  [0, 'Weak', 'bad'],
];

/** @type {import('../../kit/types.d.ts').View} */
export default (place, { el }) =>
  (/** @type {{ bits: number, time: string }} */ { bits, time }) => {
    const [, name, tone] = LEVELS.find(([least]) => bits >= least) ?? [0, '', ''];
    const share = `${Math.min(100, (100 * bits) / FULL)}%`;
    const bar = el('div', { class: 'meter', 'aria-hidden': 'true', style: { '--share': share } });
    place.replaceChildren(
      el(
        'div',
        { class: 'strength', 'data-tone': tone },
        bar,
        el('p', {}, el('strong', {}, name), ` ${time} to guess`),
        el(
          'p',
          { class: 'soft' },
          `${bits} bits of entropy each. Average time at 10,000,000,000 guesses a second, by an attacker who knows these settings.`,
        ),
      ),
    );
  };
