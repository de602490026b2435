import { Actions, Button } from '@integrity/shared-ui/web/button'
import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Shell } from '@integrity/shared-ui/web/shell'
import { type ReactNode, useEffect, useSyncExternalStore } from 'react'
import { usePageBrand } from '../components/brand.ts'
import { useLanguage } from '../components/language.ts'
import type { Room } from '../session/room.machine.ts'
import type { RoomState } from '../session/room.states.ts'
import { CameraPage } from './camera-page.tsx'
import { ConsentPage } from './consent-page.tsx'
import { DeclinedPage, DonePage, ReleasingPage } from './ending-pages.tsx'
import { LivePage } from './live-page.tsx'
import { LinkPage, MessagePage } from './message-page.tsx'

/** The page of a state of the room. */
const pageOf = (state: RoomState, room: Room): ReactNode => {
  switch (state.name) {
    case 'opening':
      return <MessagePage title="openingTitle" text="openingText" sign="wait" />
    case 'unreachable':
      return (
        <MessagePage title="unreachableTitle" text="unreachableText" sign="trouble">
          <Action text="tryNow" act={() => room.tryNow()} />
        </MessagePage>
      )
    case 'refused':
      return <LinkPage why={state.why} lost={state.lost} />
    case 'elsewhere':
      return (
        <MessagePage title="elsewhereTitle" text="elsewhereText">
          <Action text="elsewhereHere" act={() => room.takeOver()} />
        </MessagePage>
      )
    case 'unsupported':
      return state.why === 'camera' ? (
        <MessagePage title="noCameraApiTitle" text="noCameraApiText" sign="trouble" />
      ) : (
        <MessagePage title="noStorageTitle" text="noStorageText" sign="trouble" />
      )
    case 'off':
      return <MessagePage title="offTitle" text="offText" sign="off" values={{ org: state.facts.org.name }} />
    case 'consent':
      return <ConsentPage state={state} room={room} />
    case 'declined':
      return <DeclinedPage state={state} room={room} />
    case 'camera':
      return <CameraPage state={state} room={room} />
    case 'live':
      return <LivePage state={state} room={room} />
    case 'releasing':
      return <ReleasingPage state={state} room={room} />
    case 'done':
      return <DonePage sent={state.sent} lost={state.lost} />
  }
}

const Action = ({ text, act }: { readonly text: 'tryNow' | 'elsewhereHere'; readonly act: () => void }) => {
  const { t } = useLanguage()
  return (
    <Actions>
      <Button kind="main" onClick={act}>
        {t(text)}
      </Button>
    </Actions>
  )
}

export const RoomPage = ({ room }: { readonly room: Room }) => {
  const state = useSyncExternalStore(room.subscribe, () => room.state)
  const { language } = useLanguage()
  // biome-ignore lint/correctness/useExhaustiveDependencies: the room asks for the language itself
  useEffect(() => room.relocalise(), [room, language])
  const why = state.name === 'refused' ? state.why : ''
  const brand = usePageBrand(room.org)
  const facts = 'facts' in state ? state.facts : undefined
  return (
    <Shell
      name={brand?.name}
      brand={brand}
      footer={<HelpLine contact={brand?.contact} inviter={facts?.inviter} session={facts?.session.id} />}
    >
      <div key={`${state.name}${why}`}>{pageOf(state, room)}</div>
    </Shell>
  )
}
