import type { Waypoint } from '@openfountain/core'
import { element } from '../../map/card/markup.ts'
import { noFilter } from '../../map/list/filter.ts'
import type { Position } from '../../map/page/position.ts'
import { openSheet } from '../dialog.tsx'
import { filledIn, type Values } from '../form/changes.ts'
import { Drafts } from '../form/drafts.ts'
import { madeName } from '../form/naming.ts'
import { showRefusal } from '../form/refused.ts'
import { WaypointForm } from '../form/waypoint-form.ts'
import { tell } from '../notice.ts'
import { CandidateList, type Candidate, type CandidateActions } from '../place/near.ts'
import { choosePlace, type PickedPlace } from '../place/placing.ts'
import { fieldsOf } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { asRefusal } from '../problems.ts'
import { announce, sendOrCorrect, waitingText, type SendResult } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { passes } from './gate.ts'

const draftName = 'add'

/** Adds a fountain in three steps: position, candidates for duplicates, fields. */
export async function add(setting: Setting, candidates: CandidateActions): Promise<void> {
  if (!(await passes(setting, 'add'))) return
  const drafts = new Drafts(setting.person?.id ?? '')
  let draft = drafts.read(draftName)
  let start = draft && positionOf(draft)
  let placed: PickedPlace | undefined = start && { position: start, candidates: Promise.resolve([]) }
  for (;;) {
    placed ??= await place(setting, candidates, start)
    if (!placed) return
    const next = await fillIn(setting, { placed, drafts, draft, candidates })
    if (next === 'done') return
    draft = next === 'elsewhere' ? drafts.read(draftName) : undefined
    start = placed.position
    placed = undefined
  }
}

function place(
  setting: Setting,
  candidates: CandidateActions,
  start: Position | undefined,
): Promise<PickedPlace | undefined> {
  const { contribute } = setting.words
  return choosePlace(setting, {
    title: contribute.where,
    take: contribute.here,
    candidates,
    start,
  })
}

function positionOf({ latitude, longitude }: Values): Position | undefined {
  return typeof latitude === 'number' && typeof longitude === 'number' ? { latitude, longitude } : undefined
}

interface FormContext {
  readonly placed: PickedPlace
  readonly drafts: Drafts
  readonly draft: Values | undefined
  readonly candidates: CandidateActions
}

/** `elsewhere` chooses another position and keeps the entered fields, `anew` discards them. */
type Next = 'done' | 'elsewhere' | 'anew'

async function fillIn(setting: Setting, { placed, drafts, draft, candidates }: FormContext): Promise<Next> {
  const { contribute } = setting.words
  const region = await regionAt(setting, placed.position)
  const nameOf = naming(setting, placed.position, region)
  const form = new WaypointForm(setting, {
    madeName: nameOf,
    onChange: () => drafts.keep(draftName, form.draft),
  })
  if (draft) form.draft = draft
  form.position = placed.position
  let next: Next = 'done'
  const leave = (to: Next): void => {
    next = to
    sheet.close()
  }
  const list = new CandidateList(setting, {
    open: (one) => (leave('done'), candidates.open(one)),
    edit: (one) => (leave('done'), candidates.edit(one)),
  })
  void placed.candidates.then((found: readonly Candidate[]) => list.show(found))
  const button = (label: string, to: Next): HTMLElement => {
    const made = element('button', { type: 'button', class: 'button button-quiet' }, label)
    made.addEventListener('click', () => {
      if (to === 'elsewhere') drafts.keep(draftName, form.draft)
      else drafts.forget(draftName)
      leave(to)
    })
    return made
  }
  const sheet = openSheet(setting, {
    title: contribute.newTitle,
    content: [
      draft
        ? element('p', { class: 'contribute-note', role: 'status' }, contribute.draftRestored)
        : undefined,
      list.root,
      form.root,
    ],
    submit: contribute.publish,
    more: [
      button(contribute.elsewhere, 'elsewhere'),
      ...(draft ? [button(contribute.startOver, 'anew')] : []),
    ],
    async onSubmit(open) {
      if (!form.check()) return open.problem(contribute.problem.marked)
      const sent = await publish(setting, form, placed.position, nameOf)
      if (sent.state === 'refused') return showRefusal(setting, open, form, sent.refusal)
      drafts.forget(draftName)
      open.close()
    },
  })
  await sheet.closed
  return next
}

/** Opens the form of a refused new fountain with its entries. */
export async function correctAdd(setting: Setting, refusedSubmission: Submission): Promise<void> {
  const { contribute } = setting.words
  const typed = fieldsOf(refusedSubmission.body)
  const position = positionOf(typed) ?? refusedSubmission.position
  if (!position) return
  const drafts = new Drafts(setting.person?.id ?? '')
  const name = `change:${refusedSubmission.key}`
  const nameOf = naming(setting, position, await regionAt(setting, position))
  const form = new WaypointForm(setting, {
    madeName: nameOf,
    isOpen: true,
    onChange: () => drafts.keep(name, form.draft),
  })
  form.values = typed
  const draft = drafts.read(name)
  if (draft) form.draft = draft
  const sheet = openSheet(setting, {
    title: contribute.newTitle,
    content: [form.root],
    submit: setting.words.again,
    async onSubmit(open) {
      if (!form.check()) return open.problem(contribute.problem.marked)
      const sent = await publish(setting, form, position, nameOf, refusedSubmission)
      if (sent.state === 'refused') return showRefusal(setting, open, form, sent.refusal)
      drafts.forget(name)
      open.close()
    },
  })
  if (refusedSubmission.refusal) showRefusal(setting, sheet, form, asRefusal(refusedSubmission.refusal))
  await sheet.closed
}

/** Sends the values of a form and reports the result. @param refusedSubmission the refused submission that it replaces */
async function publish(
  setting: Setting,
  { values }: WaypointForm,
  placed: Position,
  nameOf: (values: Values) => string,
  refusedSubmission?: Submission,
): Promise<SendResult> {
  const name = typeof values['name'] === 'string' ? values['name'] : nameOf(values)
  const position = positionOf(values) ?? placed
  const body = filledIn({ ...values, name, ...position })
  const sent = await sendOrCorrect(
    setting,
    { kind: 'create', method: 'POST', path: '/waypoints', body, subject: name, position },
    refusedSubmission,
  )
  if (sent.state === 'done') {
    const waypoint = sent.answer as Waypoint
    announce(waypoint.id, waypoint)
    tell(setting.with(setting.words.contribute.added, { name }))
  } else if (sent.state !== 'refused') tell(waitingText(setting))
  return sent
}

/** Generates names for an unnamed fountain. */
const naming =
  (setting: Setting, position: Position, region: string | undefined) =>
  (values: Values): string =>
    madeName(
      {
        amenities: Array.isArray(values['amenities']) ? values['amenities'].map(String) : [],
        region: typeof values['region'] === 'string' ? values['region'] : region,
        position: positionOf(values) ?? position,
      },
      { fountain: setting.words.contribute.fountain, amenity: (key) => setting.amenity(key) },
    )

/** Only a fountain within this distance lends its region to a new one. */
const regionReachMetres = 1500

/** The region of the nearest fountain, for a generated name. */
async function regionAt({ map }: Setting, position: Position): Promise<string | undefined> {
  try {
    const { found } = (await map?.cells.nearest(position, 1, noFilter)) ?? { found: [] }
    const [nearest] = found
    return nearest && nearest.metres <= regionReachMetres ? nearest.fountain.region : undefined
  } catch {
    return undefined
  }
}
