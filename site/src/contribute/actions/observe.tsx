import type { ObservationKind } from '@openfountain/core/status'
import { rememberReturn } from '../../api/return.ts'
import { store, stored } from '../../client/storage.ts'
import { observing } from '@openfountain/core/rules'
import { pageAddress } from '../../api/site.ts'
import { Flag, textIn, Toggles } from '../../ui/form.tsx'
import { anonymous } from '../outbox/submission.ts'
import { firstTaskEnds, sawForFirstTask } from '../first-task.tsx'
import { licenseName } from '../members.ts'
import { ChosenPhotos } from '../photos/chosen-photos.ts'
import { photosAfter } from './photo.tsx'
import { PhotoField } from '../photos/photo-field.tsx'
import { send } from '../sending.ts'
import type { Setting, Subject } from '../setting.ts'
import { Comment, openSheet } from '../sheet.tsx'
import { returnAddress } from './gate.tsx'

/** In the order in which they are likely. */
const problems = ['broken', 'dry', 'dirty', 'blocked', 'gone'] as const satisfies readonly ObservationKind[]

const passersByKinds: ReadonlySet<string> = new Set(observing.passersByKinds)

/** Reports that a fountain works: one tap. @throws Refusal */
export const works = (setting: Setting, subject: Subject): Promise<unknown> =>
  observe(setting, subject, 'works')

export async function problem(setting: Setting, subject: Subject): Promise<void> {
  const { observe: text, comment } = setting.words.contribute
  const isSighting = setting.person === undefined && setting.passersBy === 'sightings'
  const photos = new ChosenPhotos()
  const kinds = isSighting ? problems.filter((kind) => passersByKinds.has(kind)) : problems
  await openSheet(setting, {
    title: setting.format.withName(text.title, subject.name),
    fields: ['kind', licenseName],
    submit: text.send,
    content: (
      <>
        <Toggles
          name="kind"
          label={text.legend}
          isOne
          looks="toggles-lines"
          options={kinds.map((value) => ({ value, label: text.kind[value] }))}
          chosen={kinds.length === 1 ? kinds : []}
        />
        {isSighting && (
          <p class="faint">
            <a href={pageAddress('sign-in/')} onClick={() => rememberReturn(returnAddress('choose'))}>
              {text.sayMore}
            </a>
          </p>
        )}
        {/* Without an account neither comments nor positions are stored. */}
        {setting.person && (
          <>
            <Comment label={comment} hint={text.commentHint} />
            <NearConsent setting={setting} />
            <PhotoField setting={setting} photos={photos} />
          </>
        )}
      </>
    ),
    async send(data) {
      await observe(setting, subject, textIn(data, 'kind'), textIn(data, 'comment'))
      await photosAfter(setting, photos, subject)
    },
  }).closed
}

async function observe(
  setting: Setting,
  { id, name: subject }: Subject,
  kind: string,
  comment?: string,
): Promise<void> {
  const { person, words } = setting
  const { thanks, noted } = words.contribute.observe
  const near = person && (await placeNow())
  // With the day of the observation, which offline may be earlier than that of sending.
  const observedAt = new Date().toISOString().slice(0, 10)
  const body = { bubblerId: id, kind, observedAt, near, ...(comment && { comment }) }
  const request = { kind: 'observation', method: 'POST', path: '/observations' } as const
  const said = [person || kind !== 'works' ? thanks : noted, firstTaskEnds(setting, id)]
  const draft = { ...request, body, subject, by: person?.id ?? anonymous }
  await send(setting, draft, said.filter(Boolean).join(' '))
  sawForFirstTask(setting, id)
}

/** Key of the consent to send the device's position with observations: asked once, stored in this browser. */
const key = 'observe-near'

const isAgreed = (): boolean => stored(key) !== null

export const NearConsent = ({ setting: { words } }: { readonly setting: Setting }) => (
  <Flag
    name="near"
    label={words.contribute.observe.near}
    hint={words.contribute.observe.nearHint}
    defaultChecked={isAgreed()}
    onChange={({ currentTarget }) => {
      store(key, currentTarget.checked ? '1' : undefined)
      // The browser asks, too.
      void placeNow()
    }}
  />
)

/** The device's position with consent; undefined without consent or when it is unknown. */
function placeNow(): Promise<
  { readonly latitude: number; readonly longitude: number; readonly accuracy: number } | undefined
> {
  if (!isAgreed() || !('geolocation' in navigator)) return Promise.resolve(undefined)
  return new Promise((resolve) => {
    navigator.geolocation.getCurrentPosition(
      ({ coords: { latitude, longitude, accuracy } }) => resolve({ latitude, longitude, accuracy }),
      () => resolve(undefined),
      { enableHighAccuracy: true, timeout: 6000, maximumAge: 30_000 },
    )
  })
}
