/** Menus close when the visitor presses Escape or clicks elsewhere, but not in a dialog over them. */
const openMenus = () => document.querySelectorAll<HTMLDetailsElement>('details.menu[open]')

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape' || document.querySelector('dialog[open]')) return
  for (const menu of openMenus()) {
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

document.addEventListener('click', ({ target }) => {
  // The clicked element may be gone meanwhile.
  if (!(target instanceof Element) || !target.isConnected || target.closest('dialog')) return
  for (const menu of openMenus()) if (!menu.contains(target)) menu.open = false
})
