// Sends the forms of a page without leaving it. Without scripts they are sent as forms, and answered with a page.
for (const form of document.querySelectorAll('form')) {
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const { key, ...inputs } = Object.fromEntries(new FormData(form));
    const said = form.querySelector('output');
    try {
      const headers = { 'Content-Type': 'application/json', 'X-Api-Key': key };
      const answer = await fetch(form.action, { method: 'POST', headers, body: JSON.stringify(inputs) });
      const { detail } = await answer.json();
      said.textContent = answer.ok ? form.dataset.sent : detail;
    } catch {
      said.textContent = 'The server cannot be reached. Try again later.';
    }
    // A check counts once.
    form.querySelector('altcha-widget').reset();
  });
}
