import type { ComponentChildren, VNode } from 'preact'
import type { Page } from './page.ts'

/**
 * The page of the view that was begun last: a browser has one, and a build renders one view after the other. A context of
 * Preact would keep the views of hundreds of pages alive.
 */
let current: Page | undefined

export function onPage(page: Page, view: ComponentChildren): VNode {
  current = page
  return <>{view}</>
}

export function usePage(): Page {
  if (!current) throw new Error('The view is on no page')
  return current
}
