//! Seconds left of a code: a bar and a number, not announced every second.

/** @type {import('../kit/types.d.ts').View} */
export default (place, page) => {
  const bar = page.el('progress', { 'aria-hidden': 'true' });
  const words = page.el('p', { 'aria-live': 'off' });
  place.append(words, bar);
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  return (/** @type {{ until: number, period: number }} */ { until, period }) => {
    clearInterval(timer);
    bar.max = period;
    const show = () => {
      const left = Math.max(0, Math.ceil(until - Date.now() / 1000));
      bar.value = left;
      words.textContent = `${left} ${left === 1 ? 'second' : 'seconds'}`;
    };
    timer = setInterval(() => (place.isConnected ? show() : clearInterval(timer)), 1000);
    show();
  };
};
