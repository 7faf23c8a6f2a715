import { render } from 'preact'
import { onLanguage, siteOfPage } from '../api/site.ts'
import { saveFile } from '../client/save-file.ts'
import { pageNow } from '../live/page.ts'
import type { Page } from '../views/page.ts'
import { NotProven, type Proven, provenHistory } from './prove.ts'

async function read(file: string): Promise<Uint8Array> {
  // A tile never changes, all others do with the next publication.
  const cache = file.startsWith('log/tile/') ? 'default' : 'no-cache'
  const response = await fetch(`${siteOfPage().base}data/${file}`, { cache })
  if (!response.ok) throw new Error(`${file} returned ${response.status}`)
  return new Uint8Array(await response.arrayBuffer())
}

/** Proves the history of a fountain, and shows the result below the link, in the language of the page by then. */
export async function prove(link: HTMLAnchorElement): Promise<void> {
  const id = Number(link.dataset['prove'])
  const place = link.nextElementSibling ?? document.createElement('div')
  link.after(place)
  let outcome: PromiseSettledResult<Proven> | undefined
  const show = async () => render(shown(await pageNow(), id, outcome), place)
  const proving = Promise.allSettled([provenHistory(id, read)])
  await show()
  ;[outcome] = await proving
  await show()
  onLanguage(() => void show())
}

function shown(page: Page, id: number, outcome?: PromiseSettledResult<Proven>) {
  if (outcome === undefined) return <p role="status">{page.text('proof.asking')}</p>
  if ('value' in outcome) return shownProof(page, id, outcome.value)
  const { reason } = outcome
  const isRefuted = reason instanceof NotProven
  return (
    <p role="alert" class={isRefuted ? 'notice' : undefined}>
      {isRefuted && reason.entry !== undefined
        ? page.text('proof.differs', { id: page.format.number(reason.entry) })
        : page.text(isRefuted ? 'proof.unsigned' : 'proof.failed')}
    </p>
  )
}

function shownProof(page: Page, id: number, { origin, size, entries, signers, file }: Proven) {
  const { number } = page.format
  const own = signers?.filter(({ time }) => time === undefined).map(({ key }) => key.id)
  return (
    <div class="stack-2 small" role="status">
      <p>{page.text('proof.proven', { n: number(entries), size: number(size), origin })}</p>
      <p>{own ? page.text('proof.byKey', { key: own.join(', ') }) : page.text('proof.notSigned')}</p>
      {signers?.map(
        ({ key, time }) =>
          time !== undefined && (
            <p>
              {page.text('proof.seen', {
                name: key.name,
                date: page.format.date(new Date(time * 1000).toISOString()),
              })}
            </p>
          ),
      )}
      <p>{page.text('proof.notProven')}</p>
      <p>
        <button
          type="button"
          class="text-button"
          onClick={() => saveFile(new Blob([file], { type: 'application/json' }), `proof-${id}.json`)}
        >
          {page.text('proof.save')}
        </button>
      </p>
    </div>
  )
}
