import { elementBy } from './config.ts'

/** A row of a list. Texts of users and programs are inserted as text. */
export interface Item {
  readonly title: string
  readonly details: readonly string[]
  /** Marks the row, such as the current device. */
  readonly badge?: string
  readonly actions: readonly Action[]
}

export interface Action {
  readonly label: string
  run(item: HTMLElement): void
}

/** Shows the rows of a section; `[data-none]` is shown when there are none. */
export function showItems(section: HTMLElement, items: readonly Item[]): void {
  elementBy('[data-items]', section).replaceChildren(...items.map(rowOf))
  const none = section.querySelector<HTMLElement>('[data-none]')
  if (none) none.hidden = items.length > 0
}

function rowOf({ title, details, badge, actions }: Item): HTMLElement {
  const row = document.createElement('li')
  row.className = 'item'
  const text = element('div', 'item-text')
  const name = element('strong', 'item-title')
  name.append(element('bdi', '', title))
  if (badge !== undefined) name.append(' ', element('span', 'badge', badge))
  text.append(name, element('span', 'faint', details.join(' · ')))
  const buttons = element('div', 'actions')
  for (const { label, run } of actions) {
    const button = document.createElement('button')
    button.type = 'button'
    button.className = 'button button-quiet button-small'
    button.textContent = label
    // The label names the row, since several rows have the same button.
    button.ariaLabel = `${label}: ${title}`
    button.addEventListener('click', () => run(row))
    buttons.append(button)
  }
  row.append(text, buttons)
  return row
}

function element(tag: string, className: string, text = ''): HTMLElement {
  const made = document.createElement(tag)
  if (className !== '') made.className = className
  if (text !== '') made.textContent = text
  return made
}
