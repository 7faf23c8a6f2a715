import { render } from 'preact'
import type { Source } from '@openfountain/core'
import { siteOfPage } from '../api/site.ts'
import { Harvests } from '../views/harvests.tsx'
import { onPage } from '../views/on-page.tsx'
import { ask, listIn } from './asking.ts'
import { pageNow } from './page.ts'

async function show(): Promise<void> {
  const [page, { answer }] = await Promise.all([pageNow(), ask(`${siteOfPage().api}/sources`)])
  for (const { id, harvesting } of listIn(answer, 'sources') as unknown as Source[]) {
    const place = document.querySelector(`[data-harvests="${Number(id)}"]`)
    if (place === null) continue
    const isOpen = place.querySelector('details')?.open ?? false
    render(harvesting === undefined ? null : onPage(page, <Harvests harvesting={harvesting} />), place)
    const details = place.querySelector('details')
    if (details !== null) details.open = isOpen
  }
}

// Without an answer the built page stays.
void show().catch(() => undefined)
