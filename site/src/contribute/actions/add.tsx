import type { Waypoint } from '@openfountain/core'
import type { Position } from '../../map/page/position.ts'
import { tell } from '../../ui/notice.tsx'
import { filledIn, type Values } from '../form/changes.ts'
import { forgetDraft, readDraft } from '../form/drafts.ts'
import { openWaypointForm, positionOf } from '../form/waypoint-form.tsx'
import { fieldsOf } from '../members.ts'
import type { Submission } from '../outbox/outbox.ts'
import { Candidates, closing, titleOf, type CandidateActions } from '../place/near.tsx'
import { choosePlace, type PickedPlace } from '../place/placing.tsx'
import { announce, sendOrCorrect, waitingText, type SendResult } from '../sending.ts'
import type { Setting } from '../setting.ts'
import { passes } from './gate.tsx'

const draft = 'add'

/** Adds a fountain in three steps: position, candidates for duplicates, fields. */
export async function add(setting: Setting, candidates: CandidateActions): Promise<void> {
  if (!(await passes(setting, 'add'))) return
  const { contribute } = setting.words
  let start = positionOf(readDraft(setting, draft) ?? {})
  let placed: PickedPlace | undefined = start && { position: start, candidates: Promise.resolve([]) }
  for (;;) {
    placed ??= await choosePlace(setting, {
      title: contribute.where,
      take: contribute.here,
      candidates,
      start,
    })
    if (!placed) return
    // Another position keeps the entries, a start over discards them.
    const next = await fillIn(setting, placed, candidates)
    if (next === undefined) return
    if (next === 'anew') forgetDraft(draft)
    start = placed.position
    placed = undefined
  }
}

async function fillIn(
  setting: Setting,
  placed: PickedPlace,
  candidates: CandidateActions,
): Promise<'elsewhere' | 'anew' | undefined> {
  const { contribute } = setting.words
  const { position } = placed
  return openWaypointForm<'elsewhere' | 'anew'>(setting, {
    title: contribute.newTitle,
    draft,
    given: position,
    position,
    notes: (close) => (
      <Candidates setting={setting} actions={closing(candidates, close)} of={placed.candidates} />
    ),
    submit: contribute.publish,
    leave: {
      elsewhere: { label: contribute.elsewhere },
      anew: { label: contribute.startOver, isRestored: true },
    },
    madeName: (values) => labelOf(setting, values),
    send: (values) => publish(setting, values, position),
  })
}

/** Opens the form of a refused new fountain with its entries. */
export async function correctAdd(setting: Setting, refused: Submission): Promise<void> {
  const given = fieldsOf(refused.body)
  const position = positionOf(given) ?? refused.position
  if (!position) return
  await openWaypointForm(setting, {
    title: setting.words.contribute.newTitle,
    draft: `change:${refused.key}`,
    given,
    isOpen: true,
    submit: setting.words.contribute.publish,
    refused,
    madeName: (values) => labelOf(setting, values),
    send: (values) => publish(setting, values, position, refused),
  })
}

/** Sends the values of a form and tells the result. @param refused the refused submission that it replaces */
async function publish(
  setting: Setting,
  values: Values,
  placed: Position,
  refused?: Submission,
): Promise<SendResult> {
  const isNamed = typeof values['name'] === 'string'
  const name = isNamed ? String(values['name']) : labelOf(setting, values)
  const position = positionOf(values) ?? placed
  const body = { ...filledIn({ ...values, ...position }), ...(!isNamed && { name: '', nameIsMade: true }) }
  const sent = await sendOrCorrect(
    setting,
    { kind: 'create', method: 'POST', path: '/waypoints', body, subject: name, position },
    refused,
  )
  if (sent.state === 'done') {
    const waypoint = sent.answer as Waypoint
    announce(waypoint.id, waypoint)
    tell(setting.with(setting.words.contribute.added, { name }))
  } else if (sent.state !== 'refused') tell(waitingText(setting))
  return sent
}

/** What a fountain with these values is called as long as it has no name. */
const labelOf = (setting: Setting, { amenities, region }: Values): string =>
  titleOf(setting, {
    name: '',
    amenities: Array.isArray(amenities) ? amenities.map(String) : [],
    region: typeof region === 'string' ? region : undefined,
  })
