export interface ArrivedSubject {
  readonly kind: 'access_requests' | 'candidate_request' | 'report' | 'reviews' | 'session'
  /** Empty where it is a list. */
  readonly id: string
}

/** What a letter, a chat message or a note has sent somebody here for; it is in the address no more. */
export const takeArrivedSubject = (): ArrivedSubject | undefined => {
  const [, list, one, id = ''] =
    /^#see\.(?:(reviews|access_requests)|(session|report|candidate_request)\.([a-z]{3}_[0-9a-z]{10,40}))$/i.exec(
      location.hash,
    ) ?? []
  const kind = (list ?? one) as ArrivedSubject['kind'] | undefined
  if (kind === undefined) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  return { kind, id }
}
