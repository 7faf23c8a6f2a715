import { filledIn, type Values } from '../form/changes.ts'
import { forgetDraft, readDraft } from '../form/drafts.ts'
import { openWaypointForm, positionOf, type FormExit } from '../form/waypoint-form.tsx'
import { fieldsOf } from '../members.ts'
import type { Submission } from '../outbox/submission.ts'
import { Candidates } from '../place/near.tsx'
import { choosePlace, type PickedPlace } from '../place/placing.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'

const draft = 'add'

type Edit = (setting: Setting, subject: Subject) => void

/** Adds a fountain in three steps: position, candidates for duplicates, fields. @param edit edits one of the candidates */
export async function add(setting: Setting, edit: Edit): Promise<void> {
  const { where: title, here: take } = setting.words.contribute
  let start = positionOf(readDraft(setting, draft) ?? {})
  let placed: PickedPlace | undefined = start && { position: start, candidates: Promise.resolve([]) }
  for (;;) {
    placed ??= await choosePlace(setting, { title, take, start, edit: (one) => edit(setting, one) })
    if (!placed) return
    // Another position keeps the entries, a start over discards them.
    const exit = await openForm(setting, { placed, edit })
    if (exit === undefined) return
    if (exit === 'startOver') forgetDraft(draft)
    start = placed.position
    placed = undefined
  }
}

/** Opens the form of a refused new fountain with its entries. */
export const correctAdd = (setting: Setting, refused: Submission): Promise<unknown> =>
  openForm(setting, { refused })

interface FormContext {
  readonly placed?: PickedPlace
  readonly edit?: Edit
  readonly refused?: Submission
}

function openForm(setting: Setting, { placed, edit, refused }: FormContext): Promise<FormExit | undefined> {
  const { newTitle: title, publish: submit, added } = setting.words.contribute
  const madeName = ({ amenities, region }: Values): string =>
    setting.titleOf({
      name: '',
      amenities: Array.isArray(amenities) ? amenities.map(String) : [],
      region: typeof region === 'string' ? region : undefined,
    })
  return openWaypointForm(setting, {
    title,
    submit,
    draft: refused ? `change:${refused.key}` : draft,
    given: fieldsOf(refused?.body),
    position: placed?.position,
    isOpen: refused !== undefined,
    notes: (close) =>
      placed && (
        <Candidates
          setting={setting}
          of={placed.candidates}
          leave={close}
          edit={(one) => edit?.(setting, one)}
        />
      ),
    exits: refused ? [] : ['elsewhere', 'startOver'],
    refused,
    madeName,
    send(values) {
      const isNamed = typeof values['name'] === 'string'
      const subject = isNamed ? String(values['name']) : madeName(values)
      const body = { ...filledIn(values), ...(!isNamed && { name: '', nameIsMade: true }) }
      return send(
        setting,
        { kind: 'create', method: 'POST', path: '/waypoints', body, subject, position: positionOf(values) },
        setting.with(added, { name: subject }),
        refused,
      )
    },
  })
}
