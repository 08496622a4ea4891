// Adds a button to each box of code that copies it. The pages are complete without this.
if (navigator.clipboard) {
  for (const box of document.querySelectorAll('.code')) {
    const code = box.querySelector('code');
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.addEventListener('click', async () => {
      try {
        await navigator.clipboard.writeText(code.textContent);
        button.textContent = 'Copied';
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      } catch {
        // Not allowed: what is selected can be copied by hand.
        getSelection().selectAllChildren(code);
      }
    });
    box.append(button);
  }
}
