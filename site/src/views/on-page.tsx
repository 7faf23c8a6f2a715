import { createContext, type ComponentChildren, type VNode } from 'preact'
import { useContext } from 'preact/hooks'
import type { Page } from './page.ts'

const context = createContext<Page | undefined>(undefined)

export const onPage = (page: Page, view: ComponentChildren): VNode => (
  <context.Provider value={page}>{view}</context.Provider>
)

export function usePage(): Page {
  const page = useContext(context)
  if (!page) throw new Error('The view is on no page')
  return page
}
