import { fill, formatFor, type Format, type Plural } from '../messages.ts'
import type { Labels } from '../build/labels.ts'
import { labelsOf } from './labels-of.ts'
import { remember, wantedLanguage } from './language-choice.ts'
import { offerLanguage } from './language-offer.ts'
import { nameThemes } from './theme.ts'

/** Pages that exist once, such as a fountain's: translates their labels to the visitor's language. */
const root = document.documentElement
const base = root.dataset['base'] ?? '/'
const original = root.lang

async function switchTo(language: string): Promise<void> {
  const labels = await labelsOf(language).catch(() => undefined)
  if (!labels) return
  const format = formatFor(language)
  relabel(labels, format)
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-page]')) {
    const { page = '', query = '' } = link.dataset
    link.href = `${base}${labels.prefix}${page}${query}`
    const text = labels.strings[`nav.${page.replace(/\/$/u, '') || 'map'}`]
    if (text !== undefined && link.matches('.nav a, .footer a')) link.textContent = text
  }
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-language]')) {
    if (link.dataset['language'] === language) link.setAttribute('aria-current', 'true')
    else link.removeAttribute('aria-current')
  }
  root.lang = language
  root.dir = format.direction
}

const heading = (): string => document.querySelector('h1')?.textContent?.trim() ?? ''

function relabel({ strings, counts }: Labels, format: Format): void {
  const before = heading()
  nameThemes(strings)
  each('t', (element, key) => {
    const text = strings[key]
    if (text !== undefined) write(element, fill(text, element.dataset))
  })
  each('names', (element, names) => {
    const byTag = JSON.parse(names) as Readonly<Record<string, string>>
    write(element, byTag[format.tag] ?? byTag[''] ?? '')
  })
  each('country', (element, code) => {
    write(element, format.country(code))
  })
  // The title of the page repeats its heading, and so do the names of buttons and pictures.
  const after = heading()
  document.title = document.title.replace(before, () => after)
  each('name', (element, name) => {
    if (name === before) element.dataset['name'] = after
  })
  each('tTitle', (element, key) => {
    if (strings[key] !== undefined) element.title = strings[key]
  })
  each('tLabel', (element, key) => {
    const text = strings[key]
    // The placeholders of a label are filled from other data attributes of its element.
    if (text !== undefined) element.setAttribute('aria-label', fill(text, element.dataset))
  })
  each('count', (element, key) => {
    const plural: Plural | undefined = counts[key]
    if (plural) write(element, format.count(plural, Number(element.dataset['n'])))
  })
  each('number', (element, value) => {
    write(element, format.number(Number(value)))
  })
  each('metres', (element, value) => {
    element.textContent = format.distance(strings, Number(value))
  })
  for (const time of document.querySelectorAll<HTMLTimeElement>('time[data-date]')) {
    write(time, format.date(time.dateTime))
  }
  each('stars', (element, n) => {
    const text = strings['waypoint.stars']
    if (text !== undefined) element.setAttribute('aria-label', fill(text, { n: format.number(Number(n)) }))
  })
}

/** Writes into the text of an element, which a view may render again. */
function write(element: HTMLElement, text: string): void {
  const [node, ...others] = element.childNodes
  if (node instanceof Text && others.length === 0) node.data = text
  else element.textContent = text
}

function each(name: string, change: (element: HTMLElement, value: string) => void): void {
  const attribute = name.replaceAll(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)
  for (const element of document.querySelectorAll<HTMLElement>(`[data-${attribute}]`)) {
    change(element, element.dataset[name] ?? '')
  }
}

if (root.dataset['pages'] === 'one') {
  const language = wantedLanguage()
  // For the page of missing addresses, which links to a page in this language.
  root.dataset['wanted'] = language
  const labelled = language === original ? Promise.resolve() : switchTo(language)
  void labelled.finally(() => root.classList.remove('waits'))
} else {
  offerLanguage()
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest<HTMLElement>('a[data-language]') : null
  const language = link?.dataset['language']
  if (language === undefined) return
  remember(language)
  // Other pages have an address in each language.
  if (root.dataset['pages'] !== 'one') return
  event.preventDefault()
  void switchTo(language)
  link?.closest('details')?.removeAttribute('open')
})
