import { render } from 'preact'
import { elementBy } from '../../client/element-by.ts'
import { saveFile } from '../../client/save-file.ts'
import { fill, formatFor } from '../../messages.ts'
import type { ExploreConfig } from '../config.ts'
import { ReadingError, readRows, type ReadingProblem, type Row } from '../data.ts'
import { choose as chosenOf, facetOf, type Facet as Values } from '../facets.ts'
import { fileOf, termsOf, type FormName, type Terms } from '../files.ts'
import {
  facetColumns,
  nothingChosen,
  queryOf,
  readSelection,
  withValue,
  type Selection,
} from '../selection.ts'
import { Facet } from './facet-view.tsx'

/** Filters, counts and downloads the data of the export. */

const config: ExploreConfig = JSON.parse(elementBy('#explore-config').textContent)
const { words } = config
const format = formatFor(config.tag)
const form = elementBy<HTMLFormElement>('#explore-form')
const text = elementBy<HTMLInputElement>('input[name=name]', form)
const found = elementBy('#explore-found')
const progress = elementBy<HTMLProgressElement>('#explore-progress')
const problem = elementBy('#explore-problem')
const buttons = [...document.querySelectorAll<HTMLButtonElement>('button[data-form]')]

let all: readonly Row[] = []
let facets: readonly Values[] = []
let chosen: readonly Row[] = []
let selection = readSelection(new URLSearchParams(location.search))

const problemWords: Readonly<Record<ReadingProblem, string>> = {
  NOT_SENT: words.notSent,
  DAMAGED: words.damaged,
}

async function begin(): Promise<void> {
  found.textContent = words.loading
  progress.hidden = false
  try {
    all = await readRows(config.files)
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    found.textContent = ''
    problem.textContent = fill(problemWords[error.code], { reason: error.message })
    return
  } finally {
    progress.hidden = true
  }
  const isSome = ({ values }: Values): boolean =>
    [...values.values()].some((texts) => texts.some((one) => one !== ''))
  facets = facetColumns.map((column) => facetOf(column, all)).filter(isSome)
  text.value = selection.text
  form.hidden = false
  show()
}

function choose(next: Selection): void {
  selection = next
  history.replaceState(history.state, '', `${location.pathname}${queryOf(selection)}`)
  show()
}

function show(): void {
  elementBy<HTMLAnchorElement>('#explore-plates').search = queryOf(selection)
  const { rows, counts } = chosenOf(all, facets, selection)
  chosen = rows
  const isNone = chosen.length === 0
  found.textContent = isNone
    ? words.none
    : fill(words.found, {
        found: format.number(chosen.length),
        all: format.count(config.fountains, all.length),
      })
  render(
    facets.map(({ column }) => (
      <Facet
        key={column}
        column={column}
        config={config}
        format={format}
        counts={counts[column] ?? []}
        chosen={selection.values[column] ?? []}
        choose={(value, isChosen) => choose(withValue(selection, column, value, isChosen))}
      />
    )),
    elementBy('#explore-facets'),
  )
  for (const button of buttons) button.disabled = isNone
  elementBy('#explore-terms').textContent = isNone
    ? ''
    : fill(words.terms, { terms: termsText(termsOf(chosen)) })
}

const termsText = ({ attributions }: Terms): string =>
  attributions
    .map(
      ({ license, parties }) => `${parties.map(({ name }) => format.isolate(name)).join(', ')} (${license})`,
    )
    .join('; ')

function download(name: FormName): void {
  const file = `waypoints-selection.${name}`
  saveFile(fileOf(name, chosen), file)
  found.textContent = fill(words.ready, { file, fountains: format.count(config.fountains, chosen.length) })
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('reset', () => choose(nothingChosen))
let pause: ReturnType<typeof setTimeout> | undefined
text.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(() => choose({ ...selection, text: text.value.trim() }), 250)
})
for (const button of buttons)
  button.addEventListener('click', () => download(button.dataset['form'] as FormName))
// Scripts that load later ask for the rows by this event.
document.addEventListener('openfountain:chosen', ({ detail }) => detail(chosen))
void begin()
