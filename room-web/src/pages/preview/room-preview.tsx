import { HelpLine } from '@integrity/shared-ui/web/help-line'
import { Shell } from '@integrity/shared-ui/web/shell'
import type { RoomActions } from '../../session/room.states.ts'
import { roomLanguages } from '../../texts/room.ts'
import { ConsentPage } from '../consent-page.tsx'
import { InLanguage } from './in-language.tsx'
import type { PreviewProps } from './preview-props.ts'
import { sampleRoom } from './sample.ts'

const nothing = () => undefined
const room: RoomActions = {
  answer: nothing,
  reconsider: nothing,
  openCamera: nothing,
  begin: nothing,
  stop: nothing,
  abandon: nothing,
  takeOver: nothing,
  tryNow: nothing,
  relocalise: nothing,
}

/** The room’s own page, where it asks. */
export const RoomPreview = ({ shown, brand }: PreviewProps) => (
  <InLanguage languages={roomLanguages} code={shown.language}>
    <Shell name={brand.name} brand={brand} footer={<HelpLine contact={brand.contact} />}>
      <ConsentPage
        state={{ name: 'consent', facts: sampleRoom(shown), changed: false, busy: false, problem: false }}
        room={room}
      />
    </Shell>
  </InLanguage>
)
