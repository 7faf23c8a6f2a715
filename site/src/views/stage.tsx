import type { IconName } from '../build/icons.ts'
import type { Waypoint } from '../data/records.ts'
import { stageOn, writeStages, writeStates, type Stage, type Stages } from '../status/stage.ts'
import { aged, dated, iconOf, shortOf, statusText, toneOf } from '../status/words.ts'
import type { TextKey } from '../texts.ts'
import { usePage } from './on-page.tsx'
import type { Page } from './page.ts'
import { Icon } from './parts.tsx'

/** The stage of the day of the visit; when the site is built, that of its data. */
const stageNow = (page: Page, stages: Stages): Stage | undefined =>
  page.today === undefined ? stages[0] : stageOn(stages, page.today)

interface StageProps {
  readonly stages: Stages
}

/** Whether a fountain gives water, in a sentence: with its age, or when the site is built with its date. */
export function Status({ stages }: StageProps) {
  const page = usePage()
  const { strings, counts, format, today } = page
  if (stages.length === 0)
    return (
      <p class="status">
        <Icon name={iconOf('unconfirmed')} />
        <span {...page.said('status.unknown')} />
      </p>
    )
  const stage = stageNow(page, stages)
  const { state = 'unconfirmed' } = stage ?? {}
  const sentence = statusText(strings, counts, format, stage)
  return (
    <p
      class={`status ${toneOf(state)}`.trim()}
      data-stages={writeStages(stages)}
      data-state={state}
      data-said={sentence.text}
      data-day={sentence.day}
    >
      <Icon name={iconOf(state)} />
      <span>{today === undefined ? dated(strings, format, sentence) : aged(format, sentence, today)}</span>
    </p>
  )
}

/** In a word or two, for lists: that a fountain is private or not for drinking, and its state, unless it is only unconfirmed. */
export function ShortStatus({
  stages,
  fountain: { access, drinkable },
}: StageProps & { readonly fountain: Pick<Waypoint, 'access' | 'drinkable'> }) {
  return (
    <>
      {access === 'private' && <Unwelcome icon="private" word="fact.access.private" />}
      {drinkable === 'no' && <Unwelcome icon="undrinkable" word="fact.drinkable.no" />}
      <ShortState stages={stages} />
    </>
  )
}

function Unwelcome({ icon, word }: { readonly icon: IconName; readonly word: TextKey }) {
  return (
    <>
      <span class="short-state">
        <Icon name={icon} />
        <span {...usePage().said(word)} />
      </span>{' '}
    </>
  )
}

function ShortState({ stages }: StageProps) {
  const page = usePage()
  if (!stages.some(({ state }) => state !== 'unconfirmed')) return null
  const stage = stageNow(page, stages)
  const text = stage && shortOf(page.strings, stage.state)
  return (
    <span
      class="short-state"
      data-stages={writeStates(stages)}
      data-short=""
      data-state={stage?.state}
      hidden={text === undefined}
    >
      <Icon name={iconOf(stage?.state ?? 'unconfirmed')} />
      <span>{text}</span>
    </span>
  )
}
