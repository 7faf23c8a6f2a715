import type { ComponentChildren, VNode } from 'preact'
import type { Page } from './page.ts'

/** The page of the view that was begun last: a build renders one after the other, and a context of Preact keeps them alive. */
let current: Page | undefined
export function onPage(page: Page, view: ComponentChildren): VNode {
  current = page
  return <>{view}</>
}

export function usePage(): Page {
  if (current) return current
  throw new Error('The view is on no page')
}
