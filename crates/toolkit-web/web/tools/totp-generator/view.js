//! The seconds left of a code: a ring and a number, which screen readers do not announce every second.

/** @type {import('../../kit/types.d.ts').View} */
export default (place, page) => {
  const ring = page.el('span', { class: 'ring', 'aria-hidden': 'true' });
  const words = page.el('span', {});
  place.append(page.el('p', { class: 'countdown', 'aria-live': 'off' }, ring, words));
  /** @type {ReturnType<typeof setInterval> | undefined} */
  let timer;
  return (/** @type {{ until: number, period: number }} */ { until, period }) => {
    clearInterval(timer);
    const show = () => {
      const left = Math.max(0, Math.ceil(until - Date.now() / 1000));
      ring.style.setProperty('--share', `${(100 * left) / period}%`);
      words.textContent = `${left} ${left === 1 ? 'second' : 'seconds'}`;
    };
    timer = setInterval(() => (place.isConnected ? show() : clearInterval(timer)), 1000);
    show();
  };
};
