import type { QueueItem } from '@openfountain/core'
import { send } from '../../api/once.ts'
import { textIn } from '../../ui/form.tsx'
import type { Act } from './act.tsx'
import { undoing } from './acts.tsx'
import { desk, format, fountainName, page, personName, withName } from './config.ts'
import { keys } from './keys.tsx'
import { named, personLink, placeOf } from './parts.tsx'
import { person } from './requests.ts'

export type Photo = NonNullable<QueueItem['photo']>

type State = 'shown' | 'hidden'

const setState = (id: number, state: State, body: object = {}): Promise<unknown> =>
  send('PATCH', `/photos/${id}`, { state, ...body })

const show = ({ id }: Photo): Act => ({
  label: desk.showPhoto,
  key: keys.approve,
  isMain: true,
  async work() {
    await setState(id, 'shown')
    return { said: desk.did.photoShown, undo: () => setState(id, 'hidden', undoing) }
  },
})

/** Hides a photo from everybody but its author and moderators; the undo shows it. */
const hide = ({ id }: Photo): Act => ({
  label: desk.hidePhoto,
  key: keys.revert,
  question: { text: desk.hidePhotoText, reason: 'optional' },
  async work(data) {
    const reason = textIn(data, 'reason')
    await setState(id, 'hidden', reason === '' ? {} : { reason })
    return { said: desk.did.photoHidden, undo: () => setState(id, 'shown', undoing) }
  },
})

/** Deletes a photo with its files, which cannot be undone. */
const remove = ({ id }: Photo): Act => ({
  label: desk.deletePhoto,
  question: { text: desk.deletePhotoText, reason: 'optional', isDanger: true },
  async work(data) {
    const reason = textIn(data, 'reason')
    await send(
      'DELETE',
      `/photos?${new URLSearchParams({ id: String(id), ...(reason !== '' && { reason }) })}`,
    )
    return { said: desk.did.photoDeleted }
  },
})

/** A photo as moderators see it, also while it waits. */
export const photoFigure = ({ urls, width, height, alt, license }: Photo) => (
  <figure class="photo">
    <a href={urls.large}>
      <img
        src={urls.medium}
        width={width}
        height={height}
        alt={alt ?? page.text('waypoint.photos')}
        crossOrigin="use-credentials"
      />
    </a>
    <figcaption class="faint small">
      {alt !== undefined && <>{named(alt)} · </>}
      {license}
    </figcaption>
  </figure>
)

/** The panel of a photo that waits or is reported. @param concerned the acts on its author */
export async function photoPanel(
  { waypoint }: QueueItem,
  photo: Photo,
  concerned: (author: Awaited<ReturnType<typeof person>>) => readonly Act[],
) {
  const { userId, state, createdAt } = photo
  const author = await person(userId)
  const by = withName(desk.reportedBy, personName(author ?? { id: userId }), { date: format.date(createdAt) })
  return {
    title: withName(desk.photoOf, waypoint ? fountainName(waypoint) : `#${photo.bubblerId}`),
    acts: [
      ...(state === 'shown' ? [] : [show(photo)]),
      ...(state === 'hidden' ? [] : [hide(photo)]),
      remove(photo),
      ...concerned(author),
    ],
    head: (
      <>
        {photoFigure(photo)}
        <p class="faint">{personLink(userId, by)}</p>
      </>
    ),
    content: waypoint && placeOf(waypoint),
  }
}
