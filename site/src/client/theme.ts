import { store, stored } from './storage.ts'

const choices = ['system', 'light', 'dark'] as const
type Choice = (typeof choices)[number]
const names = {
  label: 'nav.theme',
  system: 'nav.themeSystem',
  light: 'nav.themeLight',
  dark: 'nav.themeDark',
} as const

const root = document.documentElement
const button = document.querySelector<HTMLButtonElement>('#theme')

export function nameThemes(strings: Readonly<Record<string, string>>): void {
  if (!button) return
  for (const [name, key] of Object.entries(names)) button.dataset[name] = strings[key]
  show(chosen())
}

const chosen = (): Choice => choices.find((choice) => choice === stored('theme')) ?? 'system'

function show(choice: Choice): void {
  if (choice === 'system') delete root.dataset['theme']
  else root.dataset['theme'] = choice
  if (button) {
    button.dataset['choice'] = choice
    const label = `${button.dataset['label'] ?? ''}: ${button.dataset[choice] ?? ''}`
    button.ariaLabel = label
    button.title = label
    // The drawings are symbols of one file, by name.
    const drawing = button.querySelector('use')
    drawing?.setAttribute('href', (drawing.getAttribute('href') ?? '').replace(/#.*/u, `#${choice}`))
  }
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name=theme-color]')) {
    const { theme } = meta.dataset
    meta.media =
      choice === 'system' ? `(prefers-color-scheme: ${theme})` : theme === choice ? 'all' : 'not all'
  }
}

if (button) {
  delete button.dataset['waiting']
  show(chosen())
  button.addEventListener('click', () => {
    const next = choices[(choices.indexOf(chosen()) + 1) % choices.length] ?? 'system'
    store('theme', next)
    show(next)
  })
}
