import { render } from 'preact'
import type { LeaderboardEntry } from '@openfountain/core'
import { siteOfPage } from '../api/site.ts'
import { elementBy } from '../client/element-by.ts'
import { Leaders } from '../views/leaders.tsx'
import { onPage } from '../views/on-page.tsx'
import { personIn } from './answers.ts'
import { ask, listIn } from './asking.ts'
import { pageNow } from './page.ts'

/** The leaderboard of a week or a region, which the address of the page has, from the API. */

const form = elementBy<HTMLFormElement>('#leaders-form')
const place = elementBy('#leaders')
const found = elementBy('#leaders-found')
const problem = elementBy('#leaders-problem')
const names = ['since', 'region'] as const

const slugs = new Map(
  [...place.querySelectorAll<HTMLElement>('[data-person]')].map((row) => [
    row.dataset['person'],
    /contributor\/([^/]+)\/$/u.exec(row.querySelector('a')?.href ?? '')?.[1],
  ]),
)
let reading = new AbortController()

async function show(query: URLSearchParams): Promise<void> {
  reading.abort()
  reading = new AbortController()
  const { signal } = reading
  place.ariaBusy = 'true'
  try {
    const [page, { answer }] = await Promise.all([
      pageNow(),
      ask(
        `${siteOfPage().api}/user/leaderboard?${new URLSearchParams([...query, ['limit', '100']])}`,
        signal,
      ),
    ])
    if (signal.aborted) return
    const leaders = (listIn(answer, 'leaderboard') as unknown as LeaderboardEntry[]).map((one) => ({
      ...one,
      person: { ...personIn(one.id, { ...one }), slug: slugs.get(one.id) },
    }))
    const { total, since } = answer as { readonly total?: number; readonly since?: string }
    const [n, all] = [leaders.length, Number(total)].map(page.format.number)
    const parts = [
      since !== undefined && page.text('leaderboard.since', { date: page.format.date(since.slice(0, 10)) }),
      leaders.length === 0 && page.text('leaderboard.nobody'),
      leaders.length < Number(total) && page.text('leaderboard.total', { n, total: all }),
    ]
    found.textContent = parts.filter(Boolean).join(' ')
    problem.textContent = ''
    render(leaders.length > 0 && onPage(page, <Leaders leaders={leaders} />), place)
  } catch (error) {
    if (signal.aborted) return
    found.textContent = ''
    problem.textContent = form.dataset['problem'] ?? String(error)
  } finally {
    if (!signal.aborted) place.ariaBusy = 'false'
  }
}

const field = (name: string) => elementBy<HTMLSelectElement>(`#leaders-form [name=${name}]`)

const chosen = (): URLSearchParams =>
  new URLSearchParams(names.flatMap((name) => (field(name).value === '' ? [] : [[name, field(name).value]])))

form.addEventListener('change', () => {
  const query = chosen()
  history.replaceState(undefined, '', query.size > 0 ? `?${query}` : location.pathname)
  void show(query)
})

const asked = new URLSearchParams(location.search)
for (const name of names) {
  const value = asked.get(name)
  if (value === null) continue
  const options = [...field(name).options]
  // A region may be too small for the list, and is asked for all the same.
  if (name === 'region' && value !== '' && !options.some((one) => one.value === value))
    field(name).add(new Option(value, value))
  field(name).value = value
}
if (chosen().size > 0) void show(chosen())
