import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { announce } from '../client/announce.ts'
import { firstTaskOf, firstTaskSize, noteFirstTask } from '../first-task.ts'
import { noFilter } from '../map/list/filter.ts'
import type { NearFountain } from '../map/data/cells.ts'
import { fill } from '../messages.ts'
import { Icon } from '../ui/icon.tsx'
import { settingOfPage, type Setting } from './setting.ts'

export function firstTaskEnds({ person, words }: Setting, id: number): string | undefined {
  const seen = new Set(firstTaskOf(person?.id)).add(id)
  return firstTaskOf(person?.id) && seen.size >= firstTaskSize ? words.contribute.first.done : undefined
}

export function sawForFirstTask({ person }: Setting, id: number): void {
  const seen = firstTaskOf(person?.id)
  if (!person || !seen) return
  noteFirstTask(person.id, [...new Set([...seen, id])])
  announce('openfountain:task')
}

export async function showFirstTask(): Promise<void> {
  const setting = await settingOfPage()
  const place = document.querySelector('.panel-actions')
  if (!setting.map || !place || !firstTaskOf(setting.person?.id)) return
  const holder = document.createElement('div')
  place.after(holder)
  render(<FirstTask setting={setting} map={setting.map} />, holder)
}

interface FirstTaskProps {
  readonly setting: Setting
  readonly map: NonNullable<Setting['map']>
}

/** The task with its progress, and the nearest fountain for it: to the visitor, else to the middle of the map. */
function FirstTask({ setting, map }: FirstTaskProps) {
  const { person, page, words, format } = setting
  const { first } = words.contribute
  const [seen, setSeen] = useState(firstTaskOf(person?.id))
  const [near, setNear] = useState<readonly NearFountain[]>([])
  const left = near.filter(({ fountain: { id } }) => id > 0 && seen?.includes(id) !== true)
  async function look(): Promise<void> {
    const from = map.here ?? map.lookedAt
    if (!from) return
    const wanted = { ...noFilter, usable: true }
    // Fountains that are not sent yet have no id.
    const { found } = await map.cells.nearest(from, firstTaskSize + 10, wanted)
    setNear(found)
  }
  useEffect(() => {
    const again = (): void => void look().catch(() => undefined)
    const noted = (): void => setSeen(firstTaskOf(person?.id))
    const { onIdle } = map.parts
    map.parts.onIdle = () => {
      onIdle()
      again()
    }
    document.addEventListener('openfountain:task', noted)
    map.withMap(again)
    return () => document.removeEventListener('openfountain:task', noted)
  }, [])
  const [next] = left
  if (!seen || !next || seen.length + left.length < firstTaskSize) return null
  const progress = fill(first.progress, {
    n: format.number(seen.length),
    total: format.number(firstTaskSize),
  })
  const drop = (): void => {
    if (person) noteFirstTask(person.id, undefined)
    setSeen(undefined)
  }
  return (
    <section class="notice stack-2 first-task" aria-labelledby="first-task-title">
      <header class="split">
        <h2 id="first-task-title">{first.title}</h2>
        <span class="faint">{progress}</span>
        <button type="button" class="icon-button" aria-label={first.drop} title={first.drop} onClick={drop}>
          <Icon name="close" />
        </button>
      </header>
      <progress max={firstTaskSize} value={seen.length} aria-label={progress} />
      <p class="faint">{first.text}</p>
      <button type="button" class="text-button" onClick={() => void map.openAt(next.fountain)}>
        <bdi>{page.title(next.fountain)}</bdi> {map.here && `· ${page.distance(next.metres)}`}
      </button>
    </section>
  )
}
