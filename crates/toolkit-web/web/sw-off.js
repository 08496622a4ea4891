//! Service worker when offline pages are off: deletes the caches of earlier releases and
//! unregisters.

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
