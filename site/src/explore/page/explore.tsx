import { render } from 'preact'
import { elementBy } from '../../client/element-by.ts'
import { saveFile } from '../../client/save-file.ts'
import { fill, formatFor } from '../../messages.ts'
import type { ExploreConfig } from '../config.ts'
import type { Result } from '../reading/explorer.ts'
import type { Terms } from '../reading/files.ts'
import { ReadingError, type ReadingProblem } from '../reading/ranged-file.ts'
import {
  facetColumns,
  fileName,
  nothingChosen,
  queryOf,
  readSelection,
  withValue,
  type FacetColumn,
  type FormName,
  type Selection,
} from '../selection.ts'
import { sqlOf } from '../sql.ts'
import { Facet } from './facet-view.tsx'
import { startReader } from './reader.ts'

/** Filters, counts and downloads the data of the export, which a worker reads. */

const config: ExploreConfig = JSON.parse(elementBy('#explore-config').textContent)
const { words } = config
const format = formatFor(config.tag)
const form = elementBy<HTMLFormElement>('#explore-form')
const text = elementBy<HTMLInputElement>('input[name=name]', form)
const found = elementBy('#explore-found')
const progress = elementBy<HTMLProgressElement>('#explore-progress')
const problem = elementBy('#explore-problem')
const buttons = [...document.querySelectorAll<HTMLButtonElement>('button[data-form]')]

const ask = startReader((share) => {
  progress.value = share
})
let columns: readonly FacetColumn[] = []
let selection = readSelection(new URLSearchParams(location.search))
let lists: readonly string[] = []
/** Counts selections, so that late answers are ignored. */
let turn = 0

async function begin(): Promise<void> {
  found.textContent = words.loading
  const opened = await working(ask('open', config.files))
  if (opened === undefined) return
  lists = opened.lists
  if (opened.wholeBytes > 0) {
    const whole = elementBy('#explore-whole')
    whole.textContent = fill(words.whole, { size: format.number(Math.ceil(opened.wholeBytes / 1e6)) })
    whole.hidden = false
  }
  columns = facetColumns.filter((column) => opened.facets.includes(column))
  text.value = selection.text
  form.hidden = false
  elementBy('#explore-elsewhere').hidden = false
  await show()
}

function choose(next: Selection): void {
  selection = next
  history.replaceState(history.state, '', `${location.pathname}${queryOf(selection)}`)
  void show()
}

async function show(): Promise<void> {
  const own = (turn += 1)
  const address = `${location.origin}${location.pathname}${queryOf(selection)}`
  const link = elementBy<HTMLAnchorElement>('#explore-link')
  link.textContent = address
  link.href = address
  elementBy<HTMLAnchorElement>('#explore-plates').search = queryOf(selection)
  elementBy('#explore-sql').textContent = sqlOf(selection, config.addresses, lists)
  const result = await working(ask('choose', selection))
  if (result !== undefined && own === turn) showResult(result)
}

function showResult({ chosen, all, counts, terms }: Result): void {
  found.textContent =
    chosen === 0
      ? words.none
      : fill(words.found, { found: format.number(chosen), all: format.count(config.fountains, all) })
  render(
    columns.map((column) => (
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
  for (const button of buttons) button.disabled = chosen === 0
  elementBy('#explore-terms').textContent = chosen === 0 ? '' : fill(words.terms, { terms: termsText(terms) })
}

const termsText = ({ attributions }: Terms): string =>
  attributions
    .map(
      ({ license, parties }) => `${parties.map(({ name }) => format.isolate(name)).join(', ')} (${license})`,
    )
    .join('; ')

async function download(name: FormName): Promise<void> {
  const before = found.textContent
  const file = fileName(name)
  found.textContent = fill(words.preparing, { file })
  const made = await working(ask('file', name))
  if (made === undefined) {
    found.textContent = before
    return
  }
  saveFile(made.blob, file)
  found.textContent = fill(words.ready, { file, fountains: format.count(config.fountains, made.rows) })
}

const problemWords: Readonly<Record<ReadingProblem, string>> = {
  CHANGED: words.changed,
  NOT_SENT: words.notSent,
  DAMAGED: words.damaged,
}

/** Shows progress during work, and its error. */
async function working<Answer>(answer: Promise<Answer>): Promise<Answer | undefined> {
  progress.value = 0
  progress.hidden = false
  try {
    const given = await answer
    problem.textContent = ''
    return given
  } catch (error) {
    if (!(error instanceof ReadingError)) throw error
    problem.textContent = fill(problemWords[error.code], { reason: error.message })
    found.textContent = ''
    return undefined
  } finally {
    progress.hidden = true
  }
}

form.addEventListener('submit', (event) => event.preventDefault())
form.addEventListener('reset', () => choose(nothingChosen))
let pause: ReturnType<typeof setTimeout> | undefined
text.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(() => choose({ ...selection, text: text.value.trim() }), 250)
})
for (const button of buttons)
  button.addEventListener('click', () => void download(button.dataset['form'] as FormName))
void begin()
