import { type LinkOf, type PageName, takePageLink } from '../link/page-link.ts'

const elsewhere = (page: PageName, link: ReturnType<typeof takePageLink>): PageName | undefined =>
  typeof link === 'object' && link.page !== page ? link.page : undefined

/** To another page of this service, which is beside this one; there is no way back to an address that only led on. */
const leaveFor = (page: PageName): void => location.replace(`../${page}/`)

/**
 * The link that this page was opened with. One of another page leads there, in this tab; so does one that is pasted over
 * the address later, as that loads nothing by itself.
 */
export const arrive = <Page extends PageName>(page: Page): LinkOf<Page> | 'none' | 'broken' | 'leaving' => {
  addEventListener('hashchange', () => {
    if (location.hash === '') return
    const other = elsewhere(page, takePageLink(window, page))
    if (other) leaveFor(other)
    else location.reload()
  })
  const link = takePageLink(window, page)
  const other = elsewhere(page, link)
  if (!other) return link
  leaveFor(other)
  return 'leaving'
}
