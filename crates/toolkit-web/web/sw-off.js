//! Service worker where pages are not kept: deletes what another release kept, and leaves.

addEventListener('install', () => skipWaiting());

addEventListener('activate', (event) => {
  const forget = async () => {
    const names = await caches.keys();
    const ours = names.filter((name) => name.startsWith('toolkit-'));
    await Promise.all(ours.map((name) => caches.delete(name)));
    await registration.unregister();
  };
  event.waitUntil(forget());
});
