import type { SecondStep } from '../data/account-api.ts'

/** The second step of a sign-in that began at an identity provider, which the address brought; it is in the address no more. */
export const takeArrivedStep = (): SecondStep | undefined => {
  const [, encoded] = /^#step\.([\w-]{20,8000})$/.exec(location.hash) ?? []
  if (encoded === undefined) return undefined
  history.replaceState(null, '', location.pathname + location.search)
  try {
    const bytes = Uint8Array.from(atob(encoded.replaceAll('-', '+').replaceAll('_', '/')), (sign) => sign.charCodeAt(0))
    const step = JSON.parse(new TextDecoder().decode(bytes)) as SecondStep
    return typeof step.challengeToken === 'string' && Array.isArray(step.methods) ? step : undefined
  } catch {
    return undefined
  }
}
