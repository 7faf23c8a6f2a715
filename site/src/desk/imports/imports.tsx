import { saveFile } from '../../client/save-file.ts'
import { fill } from '../../messages.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form.tsx'
import type { Done } from '../page/act.tsx'
import { desk, distanceWords, fieldName, format, fountainName, labelled, words } from '../page/config.ts'
import type { Panel } from '../page/item-panel.tsx'
import { decisions as options } from '../page/doubtful.tsx'
import { comparison, named, surroundings, sideOf, type Side } from '../page/parts.tsx'
import { readFountain } from '../page/requests.ts'
import type { WorkItem, Worklist } from '../page/worklist.tsx'
import { decisions, ReviewFile, ReviewFileError, type DoubtfulRow } from './review-file.ts'

const { imports } = desk

const stateOf = ({ decision }: DoubtfulRow): string =>
  decision ? options[decision].label : imports.undecided

export interface ImportsHost {
  readonly work: Worklist
  announce(text: string, undo?: Done['undo']): void
  showProblem(text: string): void
}

/** The review of an import file. The page reads and saves the file itself: nothing is uploaded. */
export class Imports {
  readonly #host: ImportsHost
  #file: ReviewFile | undefined
  #name = ''
  #items: readonly WorkItem[] = []

  constructor(host: ImportsHost) {
    this.#host = host
    addEventListener('beforeunload', (event) => {
      if (this.#file?.isChanged === true) event.preventDefault()
    })
  }

  /** Shows the rows, again after another queue was open; the first open one is selected. */
  async begin(): Promise<void> {
    const index = this.#file?.rows.findIndex(({ decision }) => decision === undefined) ?? 0
    await this.#host.work.show(this.#items, index)
  }

  async #open(file: File): Promise<void> {
    const { work } = this.#host
    try {
      this.#file = new ReviewFile(await file.arrayBuffer())
    } catch (error) {
      return this.#host.showProblem(problemText(error))
    }
    this.#name = file.name
    this.#items = this.#file.rows.map((row, index, { length }) => ({
      key: String(index),
      row: () => (
        <>
          <strong>{named(fountainName(row))}</strong>
          <span class="faint">{fill(imports.row, { n: row.row })}</span>
          <span class={row.decision ? 'badge tag-verified' : 'faint'}>{stateOf(row)}</span>
        </>
      ),
      open: () => panelOf(row),
      follow: (isUndone) =>
        !isUndone && index + 1 === length ? work.again() : work.select(isUndone ? index : index + 1, 'row'),
    }))
    this.#host.showProblem('')
    this.#host.announce('')
    await this.begin()
    work.focusDetail()
  }

  #save(file: ReviewFile): void {
    saveFile(new Blob([file.toString()], { type: 'text/csv;charset=utf-8' }), this.#name)
    file.saved()
    this.#host.announce(imports.saved)
  }

  /** The file, how much of it is decided, and its button. */
  view() {
    const file = this.#file
    const rows = file?.rows ?? []
    const done = rows.filter(({ decision }) => decision !== undefined).length
    return (
      <div class="stack-3 desk-imports" id="desk-imports">
        <p>{imports.lead}</p>
        <Field
          id="desk-file"
          name="file"
          type="file"
          accept=".csv,text/csv"
          label={imports.open}
          hint={imports.openHint}
          onChange={({ currentTarget }) => {
            const [chosen] = currentTarget.files ?? []
            if (chosen) void this.#open(chosen)
            // The same file can be opened again.
            currentTarget.value = ''
          }}
        />
        <p>
          {file && (
            <progress id="desk-bar" aria-label={desk.review} max={Math.max(1, rows.length)} value={done} />
          )}{' '}
          <span id="desk-progress" role="status">
            {file && fill(imports.progress, { done: format.number(done), total: format.number(rows.length) })}
          </span>
        </p>
        <p id="desk-unsaved" class="notice" hidden={file?.isChanged !== true}>
          {imports.unsaved}
        </p>
        {file && (
          <>
            <p class="actions">
              <Button icon="download" onPress={() => this.#save(file)} text={imports.save} />
            </p>
            <p class="faint">{fill(imports.saveHint, { option: '--review' })}</p>
          </>
        )}
      </div>
    )
  }
}

async function panelOf(row: DoubtfulRow): Promise<Panel> {
  const { name, latitude, longitude, waypointId, waypointName, metres, score } = row
  const found = await readFountain(waypointId)
  const here = 'waypoint' in found ? found.waypoint : undefined
  const inFile: Side = {
    title: imports.inFile,
    values: {
      [fieldName('name')]: name,
      [words.waypoint.position]: `${latitude}, ${longitude}`,
      [imports.reference]: row.ref,
    },
  }
  const { title, values } = here
    ? sideOf(here, imports.here)
    : { title: imports.here, values: { [fieldName('name')]: waypointName } }
  const likeness = {
    [imports.distance]: Number.isFinite(metres) ? distanceWords(metres) : '',
    [imports.score]: Number.isFinite(score) ? format.percent(score) : '',
  }
  return {
    title: named(fountainName(row)),
    acts: decisions.map((decision) => ({
      ...options[decision],
      isMain: row.decision === decision,
      isPressed: row.decision === decision,
      async work() {
        const before = row.decision
        row.decision = decision
        return {
          said: labelled(options[decision].label, format.isolate(fountainName(row))),
          undo: async () => (row.decision = before),
        }
      },
    })),
    head: <p class="quiet">{stateOf(row)}</p>,
    content: (
      <>
        {!here && <p class="notice">{fill(imports.noLonger, { id: format.number(waypointId) })}</p>}
        {comparison(imports.decide, inFile, { title, values: { ...values, ...likeness } })}
        {here &&
          Number.isFinite(latitude + longitude + metres + score) &&
          surroundings({ name, latitude, longitude }, [here])}
      </>
    ),
  }
}

function problemText(error: unknown): string {
  if (!(error instanceof ReviewFileError)) return words.account.problem.server
  const { problem } = error
  return problem.code === 'badLine'
    ? fill(imports.badLine, { line: format.number(problem.line) })
    : imports[problem.code]
}
