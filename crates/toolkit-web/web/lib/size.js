//! Sizes in few digits, as results say them.

/** @param {number} bytes */
export function size(bytes) {
  if (bytes < 1e3) return `${bytes} byte${bytes === 1 ? '' : 's'}`;
  const [unit, by] = bytes < 1e6 ? ['kB', 1e3] : ['MB', 1e6];
  return `${Number((bytes / Number(by)).toPrecision(3)).toLocaleString('en')} ${unit}`;
}
