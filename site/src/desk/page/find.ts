import { desk, elementBy } from './config.ts'
import { element } from './element.ts'
import { readHistory } from './fountain.ts'
import type { Panel, Setting } from './panel.ts'
import { person } from './people.ts'
import { personPanel } from './person-panel.ts'
import { waypointPanel } from './waypoint-panel.ts'

/** The subject of a search: a fountain or a person. */
export interface SearchTarget {
  readonly waypointId?: number
  readonly userId?: string
}

/** Parses the search text: a number, an id of a person, or the address of either's page. */
export function parseTarget(typed: string): SearchTarget {
  const text = typed.trim()
  const waypoint = /^#?(\d{1,15})$/u.exec(text) ?? /[/?&](?:waypoint\/|fountain=)(\d{1,15})(?!\d)/u.exec(text)
  if (waypoint) return { waypointId: Number(waypoint[1]) }
  const page = /\/contributor\/([^/?#]+)/u.exec(text)
  const userId = page?.[1] ?? text
  return userId === '' || /[\s/]/u.test(userId) ? {} : { userId }
}

/** The panel of the search result. @throws Refusal */
export async function foundPanel({ waypointId, userId }: SearchTarget, setting: Setting): Promise<Panel> {
  const isFountain = waypointId !== undefined && (await readHistory(waypointId)).total > 0
  if (isFountain) return waypointPanel(waypointId, setting)
  const id = userId ?? (waypointId === undefined ? undefined : String(waypointId))
  const found = id === undefined ? undefined : await person(id)
  if (found) return personPanel(found, setting)
  return { root: element('p', 'notice', desk.findNothing), actions: [] }
}

/** Listens to the search form for fountains and people. */
export function listenToFind(find: (target: SearchTarget) => void): void {
  const form = elementBy<HTMLFormElement>('#desk-find form')
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    find(parseTarget(elementBy<HTMLInputElement>('input', form).value))
  })
}
