/** Buttons that need a script: until it has loaded they are invisible, but take up their space. */
for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-share]')) {
  if (!('share' in navigator) && !('clipboard' in navigator)) continue
  delete button.dataset['waiting']
  button.addEventListener('click', () => void share(button))
}

for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-copy]')) {
  const source = button.parentElement?.querySelector('[data-copy-source]')
  if (!source || !('clipboard' in navigator)) continue
  delete button.dataset['waiting']
  button.addEventListener('click', () => void copy(source.textContent ?? '', button, 'copied'))
}

async function share(button: HTMLButtonElement): Promise<void> {
  const address = location.origin + location.pathname
  if ('share' in navigator) {
    try {
      await navigator.share({ title: document.title, url: address })
    } catch {
      // The visitor closed the dialogue.
    }
    return
  }
  await copy(address, button, 'shared')
}

async function copy(text: string, button: HTMLButtonElement, done: 'copied' | 'shared'): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    return
  }
  const status = button.querySelector<HTMLElement>('[role=status]')
  if (status) status.hidden = false
  button.dataset['done'] = done
  setTimeout(() => {
    delete button.dataset['done']
    if (status) status.hidden = true
  }, 2000)
}
