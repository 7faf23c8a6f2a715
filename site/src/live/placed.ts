import { render, type VNode } from 'preact'

/**
 * A view as an element of its own, to be placed among built ones.
 *
 * @param holder an element of the kind that it stands in, kept to render it again
 */
export function placed(view: VNode, holder: Element): HTMLElement {
  render(view, holder)
  // Once placed elsewhere, it is updated there.
  return ((holder as Element & { placed?: HTMLElement }).placed ??= holder.firstElementChild as HTMLElement)
}
