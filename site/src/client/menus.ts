/** Menus close when the visitor presses Escape or clicks elsewhere. */
const menus = document.querySelectorAll<HTMLDetailsElement>('details.menu')

document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return
  for (const menu of menus) {
    if (!menu.open) continue
    menu.open = false
    menu.querySelector('summary')?.focus()
  }
})

document.addEventListener('click', (event) => {
  for (const menu of menus) {
    if (menu.open && event.target instanceof Node && !menu.contains(event.target)) menu.open = false
  }
})
