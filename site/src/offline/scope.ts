/** A message of a page: `remember` is the path of a page or a file of data to keep, which the visitor may open without a network. */
type Message = 'take over' | 'contribute' | { readonly remember: string }

interface LongEvent {
  waitUntil(work: Promise<unknown>): void
}

export interface RequestEvent extends LongEvent {
  readonly request: Request
  respondWith(response: Promise<Response>): void
}

interface Events {
  readonly install: LongEvent
  readonly activate: LongEvent
  readonly fetch: RequestEvent
  readonly message: LongEvent & { readonly data: Message }
  /** When there is a network, also without an open page. */
  readonly sync: LongEvent & { readonly tag: string }
  readonly push: LongEvent & {
    readonly data: { json(): { readonly title: string; readonly fountain?: number } }
  }
  readonly notificationclick: LongEvent & { readonly notification: Notification }
}

/** The used part of the worker's global object; TypeScript's types of workers exclude those of pages. */
export const scope = globalThis as unknown as {
  readonly location: Location
  readonly navigator: { readonly language: string }
  readonly clients: { claim(): Promise<void>; openWindow(url: string): Promise<unknown> }
  readonly registration: Pick<ServiceWorkerRegistration, 'showNotification'>
  skipWaiting(): Promise<void>
  addEventListener<Name extends keyof Events>(type: Name, listener: (event: Events[Name]) => void): void
}
