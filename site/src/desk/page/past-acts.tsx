import type { ModerationAct } from '@openfountain/core'
import { pages } from '@openfountain/core/rules'
import { request } from '../../api/request.ts'
import { undoAct } from '../../many/undo.ts'
import { textIn } from '../../ui/form.tsx'
import { ActItem, titleOf, type ShownAct } from '../../views/act.tsx'
import type { Act } from './act.tsx'
import { desk, fountainName, format, labelled, page, personName, words } from './config.ts'
import { keys } from './keys.tsx'
import { named } from './parts.tsx'
import type { WorkItem } from './worklist.tsx'

const final: ReadonlySet<string> = new Set(['redacted', 'blocked', 'unblocked'])

const undo = ({ id }: ModerationAct): Act => ({
  label: desk.undo,
  key: keys.revert,
  isMain: true,
  question: { reason: 'required' },
  work: async (data) => ({ said: await undoAct(id, textIn(data, 'reason'), words.many, format) }),
})

const subjectOf = ({ id, name }: { readonly id: number; readonly name: string }) => ({
  id,
  fountain: { name, amenities: [] },
  hasPage: false,
})

function shownOf({
  user: by,
  waypoint,
  review,
  photo,
  into,
  entries,
  redacted,
  ...act
}: ModerationAct): ShownAct {
  const about = waypoint ?? review?.waypoint ?? photo?.waypoint
  return {
    ...act,
    by,
    entries: entries.length,
    isReasonRemoved: redacted === true,
    ...(about && { about: subjectOf(about) }),
    ...(into && { into: subjectOf(into) }),
    ...(review ? { part: 'review' } : photo && { part: 'photo' }),
  }
}

/** The newest acts of moderators, at least so many while there are more, each with its undoing. @throws Refusal */
export async function readActs(
  least: number,
  follow: () => Promise<void>,
): Promise<{ readonly items: WorkItem[]; readonly isMore: boolean }> {
  const found: ModerationAct[] = []
  let next: number | undefined
  do {
    const query = new URLSearchParams({
      limit: String(pages.acts.max),
      ...(next !== undefined && { after: String(next) }),
    })
    const answer = await request<{ acts: readonly ModerationAct[]; next?: number }>(
      'GET',
      `/moderation/acts?${query}`,
    )
    found.push(...answer.acts)
    next = answer.next
  } while (next !== undefined && found.length < least)
  const items = found.map((act) => {
    const shown = shownOf(act)
    const { about, person, entries, timestamp } = shown
    const what = titleOf(page, shown)
    const whom = about?.fountain ? fountainName(about.fountain) : person && personName(person)
    const title = named(whom === undefined ? what : labelled(what, format.isolate(whom)))
    const said = [format.date(timestamp), personName(act.user)]
    if (entries > 1) said.push(page.plural('desk.acts.entries', entries))
    return {
      key: `act ${act.id}`,
      row: () => (
        <>
          <strong>{title}</strong>
          <span class="faint">{said.join(' · ')}</span>
        </>
      ),
      open: async () => ({
        title,
        acts: final.has(act.kind) ? [] : [undo(act)],
        content: (
          <ol class="acts">
            <ActItem act={shown} />
          </ol>
        ),
      }),
      follow,
    }
  })
  return { items, isMore: next !== undefined }
}
