import { useSending } from '@integrity/shared-ui/hooks/use-sending'
import { Button } from '@integrity/shared-ui/web/button'
import { SelectField } from '@integrity/shared-ui/web/select-field'
import { SendProblemNotice } from '@integrity/shared-ui/web/send-problem'
import { rememberOrg } from '../browser/tab-memory.ts'
import { type Route, sectionRooms } from '../data/route.ts'
import { useDesk, useMay } from '../parts/desk-context.ts'
import { useLanguage } from '../parts/language.ts'
import { Link } from '../parts/link.tsx'
import { offeredIn } from './sections-page.tsx'

interface Props {
  readonly route: Route
  readonly onSignOut: () => Promise<void>
}

/** The rooms that the person may enter. */
const Rooms = ({ route }: Pick<Props, 'route'>) => {
  const { t } = useLanguage()
  const { org } = useDesk()
  const [seesSessions, seesReviews] = [useMay('session.view'), useMay('report.view')]
  const [answers, signs] = [useMay('candidate_request.manage'), useMay('report.sign_off')]
  const within = { org: org.slug }
  return (
    <div className="rooms">
      <Link to={{ room: 'today', ...within }} current={route.room === 'today'}>
        {t('roomToday')}
      </Link>
      {seesSessions ? (
        <Link to={{ room: 'interviews', ...within, query: {} }} current={route.room === 'interviews'}>
          {t('roomInterviews')}
        </Link>
      ) : null}
      {seesSessions ? (
        <Link to={{ room: 'live', ...within, query: {} }} current={route.room === 'live'}>
          {t('liveRoom')}
        </Link>
      ) : null}
      {seesReviews ? (
        <Link to={{ room: 'reviews', ...within }} current={route.room === 'reviews'}>
          {t('roomReviews')}
        </Link>
      ) : null}
      {answers || signs ? (
        <Link
          to={{ room: 'requests', ...within, query: {} }}
          current={route.room === 'requests' || route.room === 'request'}
        >
          {t('requestsSection')}
        </Link>
      ) : null}
      {sectionRooms.map((room) =>
        offeredIn(room, org).length > 0 ? (
          <Link key={room} to={{ room, ...within, query: {} }} current={route.room === room}>
            {t(`room.${room}`)}
          </Link>
        ) : null,
      )}
    </div>
  )
}

const OrgChoice = () => {
  const { t } = useLanguage()
  const { person, org, navigation } = useDesk()
  const choose = (slug: string) => {
    rememberOrg(slug)
    navigation.go({ room: 'today', org: slug })
  }
  if (person.orgs.length < 2) return <span>{org.name}</span>
  const options = person.orgs.map(({ slug, name }) => ({ id: slug, label: name }))
  return <SelectField label={t('organisation')} value={org.slug} options={options} onChange={choose} />
}

/** Above every room: where one can go, whose desk it is, and the way out. */
export const DeskHeader = ({ route, onSignOut }: Props) => {
  const { t } = useLanguage()
  const { accountPage, endedBy } = useDesk()
  const { busy, problem, send } = useSending({ endedBy })
  return (
    <nav className="desk-header" aria-label={t('navLabel')}>
      <Rooms route={route} />
      <OrgChoice />
      <a href={accountPage}>{t('ownAccount')}</a>
      <Button busy={busy} onClick={() => send(onSignOut)}>
        {t('signOut')}
      </Button>
      <SendProblemNotice problem={problem} />
    </nav>
  )
}
