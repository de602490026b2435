import type { ReactNode } from 'react'
import type { OpenDesk } from '../browser/open-desk.ts'
import { keyOf } from '../data/query-store.ts'
import type { Route } from '../data/route.ts'
import { useDesk } from '../parts/desk-context.ts'
import { later } from '../parts/later.tsx'
import { ElsewherePage } from '../rooms/elsewhere/elsewhere-page.tsx'
import { InterviewsPage } from '../rooms/interviews/interviews-page.tsx'
import { ReviewsPage } from '../rooms/reviews/reviews-page.tsx'
import { TodayPage } from '../rooms/today/today-page.tsx'
import { SectionsPage } from './sections-page.tsx'

const InterviewPage = later(async () => (await import('../rooms/interviews/interview-page.tsx')).InterviewPage)
const ReviewPage = later(async () => (await import('../rooms/review/review-page.tsx')).ReviewPage)
const SchedulePage = later(async () => (await import('../rooms/schedule/schedule-page.tsx')).SchedulePage)
const LivePage = later(async () => (await import('../rooms/live/live-page.tsx')).LivePage)
const RequestsPage = later(async () => (await import('../rooms/requests/requests-page.tsx')).RequestsPage)
const RequestPage = later(async () => (await import('../rooms/requests/request-page.tsx')).RequestPage)

const AccessRequestsPage = later(
  async () => (await import('../rooms/business/access-requests-page.tsx')).AccessRequestsPage,
)

/** Begins to load what an address leads to while it is found out who is there. */
export const beginRoom = (route: Route, { queries }: Pick<OpenDesk, 'queries'>): void => {
  if (route.room === 'interview') InterviewPage.begin()
  if (route.room !== 'review') return
  ReviewPage.begin()
  // The service takes its time over it, and the first picture waits for it.
  queries.begin(keyOf('portal.reelIndex.get', { params: { id: route.id } }))
}

const roomOf = (route: Route): ReactNode => {
  switch (route.room) {
    case 'today':
      return <TodayPage />
    case 'interviews':
      return <InterviewsPage query={route.query} />
    case 'schedule':
      return <SchedulePage />
    case 'interview':
      return <InterviewPage id={route.id} />
    case 'review':
      return <ReviewPage id={route.id} t={route.t} />
    case 'reviews':
      return <ReviewsPage cursor={route.cursor} />
    case 'request':
      return <RequestPage id={route.id} />
    case 'requests':
      return <RequestsPage query={route.query} />
    case 'live':
      return <LivePage query={route.query} />
    case 'organisation':
    case 'developers':
    case 'connections':
      return <SectionsPage route={route} />
    case 'access-requests':
      return <AccessRequestsPage query={route.query} />
    case 'unknown':
      return <ElsewherePage title="unknownTitle" text="unknownText" />
  }
}

/** The room that an address leads to. Another place is another page: its title is read out, and nothing typed moves along. */
export const Room = ({ route }: { readonly route: Route }): ReactNode => {
  const { org } = useDesk()
  const place = [org.id, route.room, 'section' in route ? route.section : '', 'id' in route ? route.id : ''].join(' ')
  return <div key={place}>{roomOf(route)}</div>
}
