import type { Translated } from '../catalogue.ts'
import type { texts as en } from '../en/consent.ts'

export const texts: Translated<typeof en> = {
  consentColumnNeed: 'ज़रूरी?',
  consentColumnOften: 'कितनी बार',
  consentNeeded: 'ज़रूरी',
  consentChoice: 'आपकी इच्छा',
  yes: 'हाँ',
  no: 'नहीं',
  consentFrom: 'सेवा आपके उत्तर के साथ यह पाठ अपनी भाषा में दर्ज करती है:',
  consentKept: 'कितने समय तक',
  consentReaders: 'इसे कौन देख सकता है',
  consentKeptText: 'साक्षात्कार के बाद अधिक से अधिक {days} दिन; यह {org} का वादा है। आप इसे पहले मिटाने को कह सकते हैं।',
  consentReadersText: 'वे लोग जिन्हें {org} ने अपने साक्षात्कार देखने की अनुमति दी है। हर डाउनलोड दर्ज होता है।',

  'why.screen': 'ताकि बाद में साक्षात्कार देखने वाले लोग देख सकें कि काम के समय स्क्रीन पर क्या था।',
  'why.microphone': 'ताकि आपकी बात स्क्रीन पर जो था उसके साथ सुनी जा सके।',
  'why.system_audio': 'ताकि आपसे जो पूछा गया और जो बजाया गया वह आपकी आवाज़ से अलग सुना जा सके।',
  'why.transcript': 'ताकि जो कहा गया वह पूरा सुने बिना पढ़ा और खोजा जा सके।',
  'why.camera': 'ताकि दिखे कि साक्षात्कार में किसने भाग लिया।',
  'why.side_view': 'ताकि मेज़ बगल से दिखे।',
  'why.room_camera': 'ताकि साक्षात्कार का कमरा दिखे।',
  'why.signals': 'ताकि रिकॉर्डिंग में रुकावटें और बदलाव समझाए जा सकें, जैसे निकाला गया कैमरा।',

  'brief.second': 'हर सेकंड',
  'brief.seconds': 'हर {n} सेकंड में',
  'brief.secondsAndClips': 'हर {n} सेकंड में, और छोटे वीडियो',
  'brief.clips': 'छोटे वीडियो',
  'brief.always': 'पूरे समय',
  'brief.changes': 'कुछ बदलने पर',
}
