import { fill } from '../../messages.ts'
import { comparison, sideOf, type Side } from '../page/compare.ts'
import { desk, distanceWords, format, labelled, elementBy, words } from '../page/config.ts'
import { element, named, type Content } from '../page/element.ts'
import { fieldName, readFountain } from '../page/fountain.ts'
import { panelOf, type Panel, type PanelAction } from '../page/panel.ts'
import { fountainName } from '../page/naming.ts'
import { plan } from '../page/plan.ts'
import { announce, showPageProblem } from '../page/status.ts'
import { Worklist } from '../page/worklist.ts'
import { ReviewFile, ReviewFileError, type Decision, type DoubtfulRow } from './review-file.ts'

const { imports } = desk

const labels: Readonly<Record<Decision, string>> = {
  same: imports.same,
  new: imports.fresh,
  skip: imports.skip,
}

/** The same keys as for fountains: merge, approve, revert. */
const keys: Readonly<Record<Decision, string>> = { same: 'm', new: 'a', skip: 'r' }

/** The review of an import file. The page reads and saves the file itself: nothing is uploaded. */
export class Imports {
  readonly worklist: Worklist<DoubtfulRow>
  #file: ReviewFile | undefined
  #name = ''

  constructor(list: HTMLElement, detail: HTMLElement) {
    this.worklist = new Worklist<DoubtfulRow>({
      list,
      detail,
      row: (row) => this.#rowContent(row),
      open: (row) => this.#panel(row),
    })
    const input = elementBy<HTMLInputElement>('#desk-file')
    input.addEventListener('change', () => {
      const [file] = input.files ?? []
      if (file) void this.#open(file)
      // The same file can be opened again.
      input.value = ''
    })
    elementBy('#desk-save').addEventListener('click', () => this.#save())
    addEventListener('beforeunload', (event) => {
      if (this.#file?.isChanged === true) event.preventDefault()
    })
  }

  /** Shows the rows again, after another queue was open. */
  async begin(): Promise<void> {
    this.#showProgress()
    await this.worklist.show(this.#file?.rows ?? [], this.#firstOpen())
  }

  async #open(file: File): Promise<void> {
    try {
      this.#file = new ReviewFile(await file.arrayBuffer())
      this.#name = file.name
      showPageProblem('')
      announce('')
    } catch (error) {
      showPageProblem(problemText(error))
      return
    }
    await this.begin()
    this.worklist.focusDetail()
  }

  #save(): void {
    const file = this.#file
    if (file === undefined) return
    const address = URL.createObjectURL(new Blob([file.toString()], { type: 'text/csv;charset=utf-8' }))
    const anchor = element('a')
    anchor.href = address
    anchor.download = this.#name
    anchor.click()
    setTimeout(() => URL.revokeObjectURL(address), 10_000)
    file.saved()
    this.#showProgress()
    announce(imports.saved)
  }

  #firstOpen(): number {
    const index = this.#file?.rows.findIndex(({ decision }) => decision === undefined) ?? 0
    return Math.max(0, index)
  }

  #showProgress(): void {
    const rows = this.#file?.rows ?? []
    const done = rows.filter(({ decision }) => decision !== undefined).length
    elementBy('#desk-progress').textContent =
      this.#file === undefined
        ? ''
        : fill(imports.progress, { done: format.number(done), total: format.number(rows.length) })
    elementBy('#desk-save').hidden = this.#file === undefined
    elementBy('#desk-save-hint').hidden = this.#file === undefined
    elementBy('#desk-unsaved').hidden = this.#file?.isChanged !== true
    const bar = elementBy<HTMLProgressElement>('#desk-bar')
    bar.hidden = this.#file === undefined
    bar.max = Math.max(1, rows.length)
    bar.value = done
  }

  #rowContent({ name, row, decision }: DoubtfulRow): readonly Content[] {
    return [
      element('strong', '', named(fountainName({ name }))),
      element('span', 'faint', fill(imports.row, { n: row })),
      element('span', decision ? 'badge' : 'faint', decision ? labels[decision] : imports.undecided),
    ]
  }

  async #panel(row: DoubtfulRow): Promise<Panel> {
    const { name, latitude, longitude, waypointId, metres, score } = row
    const found = await readFountain(waypointId)
    const here = 'waypoint' in found ? found.waypoint : undefined
    const acts = (['same', 'new', 'skip'] as const).map((decision): PanelAction => ({
      label: labels[decision],
      key: keys[decision],
      isMain: row.decision === decision,
      run: () => this.#decide(row, decision),
    }))
    const panel = panelOf(
      named(fountainName({ name })),
      acts,
      element('p', 'quiet', row.decision ? labels[row.decision] : imports.undecided),
      ...(here ? [] : [element('p', 'notice', fill(imports.noLonger, { id: format.number(waypointId) }))]),
      comparison(
        imports.decide,
        fileSide(row),
        here ? withLikeness(sideOf(here, imports.here), row) : goneSide(row),
      ),
      here && Number.isFinite(latitude) && Number.isFinite(longitude) && Number.isFinite(metres + score)
        ? plan({ name, latitude, longitude }, [here])
        : undefined,
    )
    for (const [index, one] of [...panel.root.querySelectorAll('.desk-acts button')].entries())
      one.ariaPressed = String(acts[index]?.isMain)
    return panel
  }

  #decide(row: DoubtfulRow, decision: Decision): void {
    const before = row.decision
    row.decision = decision
    this.worklist.renew()
    this.#showProgress()
    announce(labelled(labels[decision], format.isolate(fountainName(row))), async () => {
      row.decision = before
      await this.worklist.select(this.worklist.items.indexOf(row), 'row')
      this.worklist.renew()
      this.#showProgress()
    })
    const next = this.worklist.items.indexOf(row) + 1
    if (next < this.worklist.items.length) void this.worklist.select(next, 'row')
    else void this.worklist.reopen().then(() => this.worklist.focusDetail())
  }
}

const fileSide = ({ name, latitude, longitude, ref }: DoubtfulRow): Side => ({
  title: imports.inFile,
  values: {
    [fieldName('name')]: named(name),
    [words.position]: element('span', 'mono', `${latitude}, ${longitude}`),
    [imports.reference]: named(ref),
  },
})

const goneSide = (row: DoubtfulRow): Side =>
  withLikeness({ title: imports.here, values: { [fieldName('name')]: named(row.waypointName) } }, row)

const withLikeness = ({ title, values }: Side, { metres, score }: DoubtfulRow): Side => ({
  title,
  values: {
    ...values,
    [imports.distance]: Number.isFinite(metres) ? distanceWords(metres) : '',
    [imports.score]: Number.isFinite(score) ? format.percent(score) : '',
  },
})

function problemText(error: unknown): string {
  if (!(error instanceof ReviewFileError)) return words.problem.server
  const { problem } = error
  return problem.code === 'badLine'
    ? fill(imports.badLine, { line: format.number(problem.line) })
    : imports[problem.code]
}
