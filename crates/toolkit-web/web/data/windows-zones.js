//! Windows' names of time zones, with their zone of the IANA database. " Standard Time" is left out.
//! Source: Unicode CLDR, windowsZones.xml, territory 001, by way of windows-iana 5.1.

const ZONES = `
Africa/Cairo=Egypt;Africa/Casablanca=Morocco;Africa/Johannesburg=South Africa;Africa/Juba=South Sudan;
Africa/Khartoum=Sudan;Africa/Lagos=W. Central Africa;Africa/Nairobi=E. Africa;Africa/Sao_Tome=Sao Tome;
Africa/Tripoli=Libya;Africa/Windhoek=Namibia;America/Adak=Aleutian;America/Anchorage=Alaskan;
America/Araguaina=Tocantins;America/Asuncion=Paraguay;America/Bahia=Bahia;America/Bogota=SA Pacific;
America/Buenos_Aires=Argentina;America/Cancun=Eastern Standard Time (Mexico);America/Caracas=Venezuela;
America/Cayenne=SA Eastern;America/Chicago=Central;America/Chihuahua=Mountain Standard Time (Mexico);
America/Cuiaba=Central Brazilian;America/Denver=Mountain;America/Godthab=Greenland;America/Grand_Turk=Turks And Caicos;
America/Guatemala=Central America;America/Halifax=Atlantic;America/Havana=Cuba;America/Indianapolis=US Eastern;
America/La_Paz=SA Western;America/Los_Angeles=Pacific;America/Mexico_City=Central Standard Time (Mexico);
America/Miquelon=Saint Pierre;America/Montevideo=Montevideo;America/New_York=Eastern;America/Phoenix=US Mountain;
America/Port-au-Prince=Haiti;America/Punta_Arenas=Magallanes;America/Regina=Canada Central;America/Santiago=Pacific SA;
America/Sao_Paulo=E. South America;America/St_Johns=Newfoundland;America/Tijuana=Pacific Standard Time (Mexico);
America/Whitehorse=Yukon;Asia/Almaty=Central Asia;Asia/Amman=Jordan;Asia/Baghdad=Arabic;Asia/Baku=Azerbaijan;
Asia/Bangkok=SE Asia;Asia/Barnaul=Altai;Asia/Beirut=Middle East;Asia/Calcutta=India;Asia/Chita=Transbaikal;
Asia/Colombo=Sri Lanka;Asia/Damascus=Syria;Asia/Dhaka=Bangladesh;Asia/Dubai=Arabian;Asia/Hebron=West Bank;
Asia/Hovd=W. Mongolia;Asia/Irkutsk=North Asia East;Asia/Jerusalem=Israel;Asia/Kabul=Afghanistan;
Asia/Kamchatka=Russia Time Zone 11;Asia/Karachi=Pakistan;Asia/Katmandu=Nepal;Asia/Krasnoyarsk=North Asia;
Asia/Magadan=Magadan;Asia/Novosibirsk=N. Central Asia;Asia/Omsk=Omsk;Asia/Pyongyang=North Korea;
Asia/Qyzylorda=Qyzylorda;Asia/Rangoon=Myanmar;Asia/Riyadh=Arab;Asia/Sakhalin=Sakhalin;Asia/Seoul=Korea;
Asia/Shanghai=China;Asia/Singapore=Singapore;Asia/Srednekolymsk=Russia Time Zone 10;Asia/Taipei=Taipei;
Asia/Tashkent=West Asia;Asia/Tbilisi=Georgian;Asia/Tehran=Iran;Asia/Tokyo=Tokyo;Asia/Tomsk=Tomsk;
Asia/Ulaanbaatar=Ulaanbaatar;Asia/Vladivostok=Vladivostok;Asia/Yakutsk=Yakutsk;Asia/Yekaterinburg=Ekaterinburg;
Asia/Yerevan=Caucasus;Atlantic/Azores=Azores;Atlantic/Cape_Verde=Cape Verde;Atlantic/Reykjavik=Greenwich;
Australia/Adelaide=Cen. Australia;Australia/Brisbane=E. Australia;Australia/Darwin=AUS Central;
Australia/Eucla=Aus Central W.;Australia/Hobart=Tasmania;Australia/Lord_Howe=Lord Howe;Australia/Perth=W. Australia;
Australia/Sydney=AUS Eastern;Europe/Astrakhan=Astrakhan;Europe/Berlin=W. Europe;Europe/Bucharest=GTB;
Europe/Budapest=Central Europe;Europe/Chisinau=E. Europe;Europe/Istanbul=Turkey;Europe/Kaliningrad=Kaliningrad;
Europe/Kiev=FLE;Europe/London=GMT;Europe/Minsk=Belarus;Europe/Moscow=Russian;Europe/Paris=Romance;
Europe/Samara=Russia Time Zone 3;Europe/Saratov=Saratov;Europe/Volgograd=Volgograd;Europe/Warsaw=Central European;
Indian/Mauritius=Mauritius;Pacific/Apia=Samoa;Pacific/Auckland=New Zealand;Pacific/Bougainville=Bougainville;
Pacific/Chatham=Chatham Islands;Pacific/Easter=Easter Island;Pacific/Fiji=Fiji;Pacific/Guadalcanal=Central Pacific;
Pacific/Honolulu=Hawaiian;Pacific/Kiritimati=Line Islands;Pacific/Marquesas=Marquesas;Pacific/Norfolk=Norfolk;
Pacific/Port_Moresby=West Pacific;Pacific/Tongatapu=Tonga`;

/** Zones by name, in lower case. */
export const WINDOWS = new Map(
  ZONES.trim()
    .split(/;\s*/)
    .flatMap((row) => {
      const [zone = '', names = ''] = row.split('=');
      return names.split(',').map((name) => /** @type {const} */ ([name.toLowerCase(), zone]));
    }),
);
