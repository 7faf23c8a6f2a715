import { render, type VNode } from 'preact'
import { onPage } from '../views/on-page.tsx'
import type { Page } from '../views/page.ts'

/**
 * A view as an element of its own, to be placed among built ones.
 *
 * @param holder an element of the kind that it stands in, kept to render it again
 */
export function placed(page: Page, view: VNode, holder: Element): HTMLElement {
  render(onPage(page, view), holder)
  // Once placed elsewhere, it is updated there.
  return ((holder as Element & { placed?: HTMLElement }).placed ??= holder.firstElementChild as HTMLElement)
}
