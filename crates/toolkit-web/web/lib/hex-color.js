//! Colors as `#rrggbb`, and the contrast of two. Standard: WCAG 2.2, contrast ratio.

/** Red, green and blue of `#rgb` or `#rrggbb`; undefined for any other text. @param {string} text */
export function parseHexColor(text) {
  const [, digits = ''] = /^#?([0-9a-f]{3}|[0-9a-f]{6})$/i.exec(text.trim()) ?? [];
  if (!digits) return undefined;
  const whole = digits.length === 3 ? digits.replace(/./g, '$&$&') : digits;
  return [0, 2, 4].map((at) => Number.parseInt(whole.slice(at, at + 2), 16));
}

/** @param {number[]} color */
export const hexColor = (color) =>
  `#${color.map((part) => part.toString(16).padStart(2, '0')).join('')}`;

/** @param {number[]} color */
export function luminance(color) {
  const [red = 0, green = 0, blue = 0] = color.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Contrast ratio, from 1 to 21. @param {number[]} one @param {number[]} other */
export function contrast(one, other) {
  const [dark = 0, light = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
