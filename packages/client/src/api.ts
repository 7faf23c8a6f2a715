// Made from the API's own description by npm run generate.

export interface paths {
    "/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What this service is */
        get: operations["getService"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether the service is healthy, for a supervisor
         * Reads the database, and looks how old the newest backup and what is published are. Never rate-limited, never cached.
         */
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a monitoring system reads, in the text format of Prometheus
         * Requests by declared route and class of the status, how long they took, queues, entries of the log, ages of the newest backup and of what is published. 404 unless the server offers it to the caller.
         */
        get: operations["getMetrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * All waypoints, by id
         * Every parameter narrows. The Accept header chooses another format than JSON.
         */
        get: operations["listWaypoints"];
        put?: never;
        /**
         * Add a waypoint
         * Users need enough XP and earn some. `approved`, `verified` and `addedByUserId` count only from API tokens. With `unlessNear` it is refused with 409 `DUPLICATE` when there is another waypoint that near; `details.candidates` has those as `GET /api/waypoints/near-duplicates` returns them.
         */
        post: operations["createWaypoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waypoints by the words in their name, description and region
         * Case and accents do not matter. Every word must be found: anywhere in the name (words of three or more characters, Chinese, Japanese and Korean of any length), or at the beginning of a word in name, description or region. Names that begin with the query come first, then names that contain it, then the rest. Of words that stand in very many waypoints the newest thousand are looked at.
         */
        get: operations["searchWaypoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/near-duplicates": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waypoints that may be the same fountain as a new one
         * Those within 30 m, at most the nearest 20, the likeliest first. `score` is 1 at no distance and four fifths of that with each 30 m between equal names, each 3 m when one of them has no name of its own, and each metre, from 0.75, between different names. From 0.8 on they are the same, as imports see it; below 0.5 they are two.
         */
        get: operations["listNearDuplicates"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/along": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Waypoints along a route, in its order
         * The body is a GPX file, GeoJSON of lines, or `{ "polyline": … }` encoded with five digits: at most 20000 points and 5000 km. Each waypoint comes once, where the route passes it nearest. Nothing of the route is kept.
         */
        post: operations["findAlong"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One waypoint with its status, its log and its sources
         * `logs` has the newest 100 entries. When there are more, `moreLogs` leads to those before them, newest first. `place` says where its position lies, beside the `region` that people gave. `status` says whether it gives water today. With `include=rating` there is also what its reviews say together, with `include=photos` the photos that everybody sees. The entity tag stays good until the end of the day (UTC) while other waypoints change.
         */
        get: operations["getWaypoint"];
        put?: never;
        post?: never;
        /**
         * Delete a waypoint
         * For API tokens and moderators. Its log and its reviews stay.
         */
        delete: operations["deleteWaypoint"];
        options?: never;
        head?: never;
        /**
         * Change fields of a waypoint
         * Only fields that are given change; `null` clears an optional one. `properties` are merged member by member (RFC 7396): `null` removes one. Users need enough XP and earn some when something changed. `approved` and `verified` count only from API tokens and moderators, `addedByUserId` only from API tokens.
         */
        patch: operations["updateWaypoint"];
        trace?: never;
    };
    "/api/user": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Your own profile
         * With a personal token its owner; with an API token its owner, or the built-in user.
         */
        get: operations["getOwnUser"];
        put?: never;
        post?: never;
        /**
         * Leave, and have your personal data removed
         * Name, address, ways to sign in, sessions and tokens are gone at once. What you contributed stays under an id that says nothing of you.
         */
        delete: operations["leave"];
        options?: never;
        head?: never;
        /**
         * Change your own name or e-mail address
         * Tokens cannot. `null` forgets the e-mail address, which nobody checks; to change it needs a sign-in within the last 10 minutes.
         */
        patch: operations["updateOwnUser"];
        trace?: never;
    };
    "/api/account": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change your own name or e-mail address
         * Tokens cannot. `null` forgets the e-mail address, which nobody checks; to change it needs a sign-in within the last 10 minutes.
         */
        patch: operations["updateAccount"];
        trace?: never;
    };
    "/api/user/leaderboard": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Users by XP, highest first */
        get: operations["getLeaderboard"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/removals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What others removed of your fountains and reviews, and why
         * Newest first; not what was restored since.
         */
        get: operations["listOwnRemovals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What you saw at waypoints
         * By id. Nobody else can read who saw it.
         */
        get: operations["listOwnObservations"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/fountains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The waypoints that you keep
         * By id, each with its state today, its open reports without who made them, and its photos. Empty for who is no keeper.
         */
        get: operations["listKeptWaypoints"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public profile of a user */
        get: operations["getUser"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** All users, in the order in which they came */
        get: operations["listUsers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The public profile of a user */
        get: operations["getUserById"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How to sign in, and who is signed in */
        get: operations["getSignInOffer"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/links/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a link
         * A link works once, within 24 hours; the other sessions of its user end. Whoever is invited by it gets an account of the name that the link or the body has; where registration is closed nobody does, which is 403 with `registration` in `details`, and the link stays good.
         */
        post: operations["redeemLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign out on this device */
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a code to an address
         * The response is the same, and takes the same time, whether or not somebody has the address. The code is good in this browser alone, which the cookie `signin` makes known.
         */
        post: operations["sendCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/codes/redeem": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a code, or add the address that it was sent to
         * Within 10 minutes, in the browser that asked, with 5 tries, and 50 wrong ones for the address in a day. One network makes a few new accounts a day.
         */
        post: operations["redeemCode"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Options for signing in with a passkey
         * For `navigator.credentials.get`; nobody is named, since passkeys know whose they are.
         */
        post: operations["getPasskeySignInOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/passkeys/sign-in": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Sign in with a passkey */
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Your passkeys */
        get: operations["listPasskeys"];
        put?: never;
        /** Add a passkey */
        post: operations["addPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Options for adding a passkey
         * For `navigator.credentials.create`.
         */
        post: operations["getPasskeyAdditionOptions"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a passkey
         * Never the last way to sign in.
         */
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        /** Rename a passkey */
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/auth/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Sign in with a provider
         * For browsers, which it leads to the provider, and back to `returnTo`. Where the server has a site, a refusal leads to its page for signing in. A link on the page of another site is refused, so that nobody is signed in without asking for it.
         */
        get: operations["beginProviderSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/providers/{id}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where a provider sends the browser back */
        get: operations["endProviderSignIn"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The providers and addresses with which you sign in */
        get: operations["listIdentities"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a provider or an address
         * Never the last way to sign in.
         */
        delete: operations["removeIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where you are signed in */
        get: operations["listSessions"];
        put?: never;
        post?: never;
        /** Sign out on all other devices */
        delete: operations["endOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Sign out on one device */
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The tokens with which programs act as you */
        get: operations["listPersonalTokens"];
        put?: never;
        /**
         * Make a token with which a program acts as you
         * Sent as `Authorization: Bearer`. It is good for 90 days by default, 365 at most; it has your XP and your gates, never the rights of a moderator, and cannot change your account.
         */
        post: operations["createPersonalToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Revoke a token */
        delete: operations["revokePersonalToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Everything that the registry holds about you */
        get: operations["exportOwnData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/follows": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What you follow */
        get: operations["listFollows"];
        put?: never;
        /**
         * Follow a fountain, an area, a region, a maintainer or a source
         * `what` says one thing; `near` needs `radius` in metres. `events` narrows. What you follow already gets these events instead. You may have 50 besides `mine`. `by` with `mail` needs a mail server and a verified address; at most one mail an hour, a day or a week, by `rhythm`, in the language of Accept-Language. Moderators follow `queue` by mail, daily or weekly. You are told what happens from now on, and never of your own acts.
         */
        post: operations["createFollow"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/follows/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Follow something no more
         * What it told is gone with it. `mine` tells nothing then, until you follow it again.
         */
        delete: operations["endFollow"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/push": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The key with which a browser asks its push service for an address (RFC 8292) */
        get: operations["showPushKey"];
        put?: never;
        /**
         * Push to a device what you follow with `push`
         * From now on, in the language of Accept-Language, encrypted for it (RFC 8291). You may have 20; with one more the oldest is forgotten. One of which its push service says that it is gone is forgotten, too.
         */
        post: operations["addDevice"];
        /** Push to a device no more */
        delete: operations["endDevice"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/unsubscribe": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** A page that asks whether mails shall end */
        get: operations["askUnsubscribe"];
        put?: never;
        /**
         * End the mails of a link, by one click (RFC 8058)
         * The body is ignored. What was told by them is told on the site alone.
         */
        post: operations["unsubscribe"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/notifications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to what you follow, and what was decided of your reports
         * The newest 100 of each follow are kept.
         */
        get: operations["listNotifications"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/user/notifications/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Say how far you have read */
        post: operations["readNotifications"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reviews": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Reviews, of one user or one waypoint when asked
         * All of them, or a page of `limit`; the next one is `after` the last id of this one.
         */
        get: operations["listReviews"];
        put?: never;
        /**
         * Review a waypoint
         * The author earns XP. API tokens cannot review; personal tokens can, as their owner.
         */
        post: operations["createReview"];
        /**
         * Delete a review
         * For its author, moderators and API tokens. The reason is not kept when it is the author.
         */
        delete: operations["deleteReview"];
        options?: never;
        head?: never;
        /**
         * Change a review
         * Only members that are given change; `null` clears the comment. For its author alone: moderators and API tokens may delete it. It earns nothing, and nothing is logged when nothing changes.
         */
        patch: operations["updateReview"];
        trace?: never;
    };
    "/api/waypoints/{id}/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The photos of a waypoint that everybody sees
         * Those with an alternative text first, then the newest first.
         */
        get: operations["listWaypointPhotos"];
        put?: never;
        /**
         * Add a photo of a waypoint
         * A form with a JPEG, PNG or WebP picture of at most 20 MB and 50 megapixels, not animated. Three smaller files are made of it, upright and without metadata; the picture itself is not kept. It is shown at once from some XP on, and otherwise waits for a moderator. It earns XP when it is shown, once a person, a waypoint and a week. The same picture by the same person is the photo that is there.
         */
        post: operations["createPhoto"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/photos": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Photos, of one user when asked, by id
         * Those that everybody sees; all of their own for whoever asks for these, and all for moderators and API tokens that may moderate. The next page is `after` the last id of this one.
         */
        get: operations["listPhotos"];
        put?: never;
        post?: never;
        /**
         * Delete a photo, with its files
         * For its author, moderators and API tokens. The reason is not kept when it is the author. Files that another photo has stay.
         */
        delete: operations["deletePhoto"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/photos/files/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A file of a photo
         * The name is the SHA-256 of the file with `.webp`. Of a photo that is not shown only for its author and moderators; 410 once all photos that it was of are deleted.
         */
        get: operations["getPhotoFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/photos/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Describe a photo, or show or hide it
         * `alt` is for its author, `state` with a public `reason` for moderators and API tokens that may moderate. Showing or hiding it closes the reports of it.
         */
        patch: operations["updatePhoto"];
        trace?: never;
    };
    "/api/observations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What people saw at a waypoint
         * Who it was is not known to anybody here: `observer` is a pseudonym that holds for this waypoint alone. What people saw who were not signed in is not among them.
         */
        get: operations["listObservations"];
        put?: never;
        /**
         * Tell whether a waypoint gives water
         * One person makes it `reported`; two, or a moderator or an API token, make it `broken`, or `gone`, which asks the moderators. A newer `works` by somebody near it outweighs that. `works` is good for 180 days, `broken` for 60 days, `dry` for 30 days. The position is not kept. XP is granted once the day is over. Where observing is open to passers-by, also for whoever is not signed in, from pages of permitted origins: `works` and `broken` alone, or, with open observations, anything; kept for 30 days, outside the log, without text, good for `reported` at most, and never against what somebody with an account said. So is what an account that signed up by itself says against a waypoint in its first hours.
         */
        post: operations["createObservation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/status.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Whether waypoints give water today, by id
         * As the `status.json` of an export, as of now, with the whole status. Without those that are `unconfirmed`, as is each waypoint that is not there. `ttl` is in seconds: states age by the day.
         */
        get: operations["listStatuses"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report a waypoint, a review, a photo or a user to the moderators
         * Exactly one of `bubblerId`, `reviewId`, `photoId` and `userId`. Two open reports of a photo by different accounts that are older than a day hide it until a moderator decides. Where observations are open to all, also for whoever is not signed in, from pages of permitted origins. Reporting the same again, while it is open, gives the same report. Reports are not in the log, and only moderators see them.
         */
        post: operations["createReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Close a report
         * `done`, or `dismissed` when nothing was to be done. A report that was closed otherwise stays so, with a 409 that says how.
         */
        patch: operations["decideReport"];
        trace?: never;
    };
    "/api/reports/{id}/reopen": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Open a report again that was closed
         * The note of whoever closed it is gone. One that is open stays so.
         */
        post: operations["reopenReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/queue": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What there is for moderators to look at, oldest first
         * `unapproved` waypoints, and `unverified` ones that people added and no source lists; what is `reported`; `duplicates`, which are near each other and called alike, unless one source lists both; `bursts`, people who changed unusually much of late; `doubtful` rows of imports, which may be waypoints that are here; `photos` that wait to be shown. Who reported something is for moderators alone.
         */
        get: operations["getModerationQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/doubtful": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Decide doubtful rows of imports
         * At most 100, in one transaction: each is decided, or refused with the reason, whatever comes of the others. What is imported has the author of its import and earns nothing; undoing the import undoes it too. A decision that was made already is answered as it is.
         */
        post: operations["decideDoubtfulRows"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/waypoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Change or delete many waypoints at once
         * Those that match `where`, at most 5000, as one act: `POST /api/moderation/acts/{id}/undo` takes it back. Who does it earns nothing. Of a moderator, deletions count as 500 removals an hour at most.
         */
        post: operations["changeManyWaypoints"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/season": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say when many waypoints have water in the year
         * Those that match `what`, or those of `ids`, at most 5000, as one act: `POST /api/moderation/acts/{id}/undo` takes it back. The same as `POST /api/moderation/waypoints` with `set.season`, and for keepers, too, of what they keep: with others among `ids` it is a 403 with those.
         */
        post: operations["setSeasonOfMany"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/people/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What a person did, oldest first
         * `waypoints` that they made or changed, and the `reviews`, `observations` and `reports` that stand. Of people who left without their name; the built-in users are not people.
         */
        get: operations["getPersonWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/acts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What moderators and the operator did, newest first
         * Flags, deletions, merges, restores, reverts, blocks and redactions, with their reasons. Everything in it is in the log too. A page may be shorter than its limit.
         */
        get: operations["listModerationActs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo an entry of the log by new ones
         * Of a waypoint or a review. Reverting a creation deletes, reverting a deletion restores; XP that was earned is taken back. When somebody changed the same fields since, nothing is undone and `details.fields` names them.
         */
        post: operations["revertEntry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/revert": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo what a user changed since a time
         * The newest first, at most 500 entries, as one act. What others changed since stays, field by field, and is listed; what is undone already is left out. XP that the undone changes earned is taken back. Where there is more, `next` is what the following request sends as `before`. Never of the built-in users, which stand for imports, programs and observers. At most 500 removals and take-backs by a moderator in an hour, by whatever endpoint.
         */
        post: operations["revertUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/moderation/acts/{id}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Undo what an act did
         * As one act, which can be undone too: what a revert took back stands again, with the XP, what was deleted or merged is back, and so on; all of it at once. What was changed since stays, field by field, and is listed. What the operator did is undone by the command alone; redactions are not undone. At most 500 removals and take-backs by a moderator in an hour, by whatever endpoint. Undoing an act of one’s own does not count. Where that limit is reached before the end, `next` is what a later request sends as `before`.
         */
        post: operations["undoAct"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/users/{id}/block": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Keep a user from writing
         * Until a time, or without an end. The user can still read, export their data and leave; every other write is refused with the reason. Another block replaces the one before. Moderators cannot be blocked.
         */
        post: operations["blockUser"];
        /** Let a blocked user write again */
        delete: operations["unblockUser"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/{id}/merge": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Merge a waypoint into another that is the same fountain
         * It becomes a tombstone that names the other, which gains its reviews and its sources; restoring it moves them back.
         */
        post: operations["mergeWaypoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Bring a deleted waypoint back under its id
         * As it was, with what a merge moved away from it. It earns nothing.
         */
        post: operations["restoreWaypoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/waypoints/{id}/distinct": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Say that two waypoints are not the same fountain
         * They leave the queue of duplicates for good. It is not in the log.
         */
        post: operations["distinguishWaypoint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/stats": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** How much there is */
        get: operations["getStats"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What was done to waypoints, newest first
         * Ids count all entries of the log, also those about users, reviews, sources and the rest, so that there are gaps here. GET /api/changes has the entries of all kinds, with what proves them.
         */
        get: operations["listLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/recent": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What happened last, with names */
        get: operations["getRecentLogs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/head": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the log goes
         * `hash` is the root of the Merkle tree over all entries (RFC 9162, SHA-256). With an older head, GET /api/logs/consistency proves that history was not rewritten.
         */
        get: operations["getLogHead"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/consistency": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The proof that the log only grew between two sizes
         * As RFC 9162, section 2.1.4 has it. A size is the id of a head.
         */
        get: operations["getConsistency"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One entry, with who and what */
        get: operations["getLog"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/logs/{id}/proof": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The proof that an entry is in the log
         * As RFC 9162, section 2.1.3 has it.
         */
        get: operations["getInclusion"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/checkpoint": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * How far the log goes, signed
         * A signed note after C2SP tlog-checkpoint. NOT_FOUND where the log has no key.
         */
        get: operations["getLogCheckpoint"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The keys that verify checkpoints
         * Verifier keys after C2SP signed-note, one a line. Keep them: a key from elsewhere proves more.
         */
        get: operations["getLogKeys"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/tile/{level}/{first}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of the log: 256 hashes, or entries, or fewer at its end
         * As C2SP tlog-tiles has them: `tile/0/x001/234`, `tile/0/001.p/7`, `tile/entries/000`. Entries are the data of leaves, with commitments and no text. A tile never changes.
         */
        get: operations["getLogTile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/tile/{level}/{first}/{second}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of the log: 256 hashes, or entries, or fewer at its end
         * As C2SP tlog-tiles has them: `tile/0/x001/234`, `tile/0/001.p/7`, `tile/entries/000`. Entries are the data of leaves, with commitments and no text. A tile never changes.
         */
        get: operations["getLogTile2"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/log/tile/{level}/{first}/{second}/{third}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A tile of the log: 256 hashes, or entries, or fewer at its end
         * As C2SP tlog-tiles has them: `tile/0/x001/234`, `tile/0/001.p/7`, `tile/entries/000`. Entries are the data of leaves, with commitments and no text. A tile never changes.
         */
        get: operations["getLogTile3"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/changes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Entries of all kinds, oldest first, with what proves them
         * To follow the log, ask with `after=` the last id you have. An entry commits to each of its fields: `seed` gives the salts of all fields; once fields were redacted, `salts` has those of the others and `commitments` what the redacted ones were committed to. `origin` changes when an older backup was restored, whose newest entries are then others than those you have.
         */
        get: operations["listChanges"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/changes.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to waypoints, as an Atom feed
         * Every parameter narrows; `near` is within 1000 m unless `radius` says otherwise. A waypoint is where it is now. The newest 50 among the last 5000 entries of the log.
         */
        get: operations["getChangesAtom"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/feeds/changes.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * What happened to waypoints, as a JSON Feed
         * Every parameter narrows; `near` is within 1000 m unless `radius` says otherwise. A waypoint is where it is now. The newest 50 among the last 5000 entries of the log.
         */
        get: operations["getChangesJson"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The programs that are told what happens */
        get: operations["listWebhooks"];
        put?: never;
        /**
         * Have a program told what happens from now on
         * Deliveries follow Standard Webhooks. `what` and `events` narrow; default is every event of every waypoint.
         */
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /** Tell a program nothing any more */
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        /**
         * Change what a program is told, or switch it off or on
         * One that is switched on again is told what happened meanwhile.
         */
        patch: operations["updateWebhook"];
        trace?: never;
    };
    "/api/boundingboxes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The areas that are in force */
        get: operations["listBoundingBoxes"];
        put?: never;
        /** Add an area */
        post: operations["createBoundingBox"];
        /**
         * Remove an area
         * The id is given as `?id=` or in the body.
         */
        delete: operations["deleteBoundingBox"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/boundingboxes/{id}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Bring a removed area back under its id */
        post: operations["restoreBoundingBox"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sources": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where imported data came from, and under which licence */
        get: operations["listSources"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/dataset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The export as a dataset for catalogues, after DCAT-AP 3.0.1
         * JSON-LD, or Turtle by the Accept header, for portals that harvest it.
         */
        get: operations["getDataset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The whole registry as files to download */
        get: operations["listExports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One file of the export
         * The entity tag is the SHA-256 of the file. Range is supported, so downloads can be resumed.
         */
        get: operations["getExport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/exports/{license}/{file}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * One file of an export that is split by licence
         * The entity tag is the SHA-256 of the file. Range is supported, so downloads can be resumed.
         */
        get: operations["getExportOfLicense"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Landing page of OGC API Features */
        get: operations["getOgc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/conformance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The conformance classes that it has */
        get: operations["getOgcConformance"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/api": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This part of the API, as OpenAPI 3.0 */
        get: operations["getOgcApi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The collections: there is one */
        get: operations["listOgcCollections"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections/waypoints": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The collection of waypoints */
        get: operations["getOgcCollection"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections/waypoints/queryables": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fields that features can be asked for by */
        get: operations["getOgcQueryables"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections/waypoints/schema": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The fields that features have */
        get: operations["getOgcSchema"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections/waypoints/items": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waypoints as features, by id
         * Every parameter narrows. The properties of a feature are those of `GET /api/waypoints`.
         */
        get: operations["listOgcItems"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ogc/collections/waypoints/items/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** One waypoint as a feature */
        get: operations["getOgcItem"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open311/discovery.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Where the Open311 endpoints are */
        get: operations["getOpen311Discovery"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open311/v2/services.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The kinds of service requests */
        get: operations["listOpen311Services"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open311/v2/requests.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Waypoints that give no water, as service requests
         * One request a waypoint, whose id is that of the waypoint: open while it is reported, broken or gone, else closed. Closed ones are those among the newest faults of the log. With dates a page may be shorter than `page_size`.
         */
        get: operations["listOpen311Requests"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/open311/v2/requests/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** The service request of a waypoint */
        get: operations["getOpen311Request"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, as OpenAPI 3.1 */
        get: operations["getOpenapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This description, to read and try out */
        get: operations["getDocs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        WaypointInput: {
            /** Name */
            name: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude: number;
            /** Where it is and what is special */
            description?: string | null;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities?: string[] | null;
            /** URL of a picture */
            image?: string | null;
            /** Who looks after it */
            maintainer?: string | null;
            /** Town, district or other region */
            region?: string | null;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string | null;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string | null;
            /** Whether the water is declared to be drinking water; `unsigned` when nothing there says so */
            drinkable?: ("yes" | "no" | "unsigned") | null;
            /** Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out */
            access?: ("yes" | "customers" | "private" | "unknown") | null;
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: (string | number | boolean | string[]) | null;
            } | null;
            /** A moderator has looked at the record, or an operator imported it */
            approved?: boolean;
            /** It was checked that the fountain is there */
            verified?: boolean;
            /** Identifier of the contributor who added it; `api` for programs and imports */
            addedByUserId?: string;
            /** True stores no name, whatever `name` is */
            nameIsMade?: boolean;
        };
        /** GeoJSON of lines, or an encoded polyline */
        Route: {
            /** An encoded polyline of five digits */
            polyline?: string;
            /** That of GeoJSON */
            type?: string;
            /** Positions, longitude before latitude */
            coordinates?: unknown[];
            /** A geometry of GeoJSON */
            geometry?: unknown;
            /** Features, of which those with lines are the route */
            features?: unknown[];
        };
        WaypointPatch: {
            /** Name */
            name?: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude?: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude?: number;
            /** Where it is and what is special */
            description?: string | null;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities?: string[] | null;
            /** URL of a picture */
            image?: string | null;
            /** Who looks after it */
            maintainer?: string | null;
            /** Town, district or other region */
            region?: string | null;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string | null;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string | null;
            /** Whether the water is declared to be drinking water; `unsigned` when nothing there says so */
            drinkable?: ("yes" | "no" | "unsigned") | null;
            /** Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out */
            access?: ("yes" | "customers" | "private" | "unknown") | null;
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: (string | number | boolean | string[]) | null;
            } | null;
            /** A moderator has looked at the record, or an operator imported it */
            approved?: boolean;
            /** It was checked that the fountain is there */
            verified?: boolean;
            /** Identifier of the contributor who added it; `api` for programs and imports */
            addedByUserId?: string;
            /** True stores no name, whatever `name` is */
            nameIsMade?: boolean;
        };
        UserPatch: {
            /** Display name, as chosen by the contributor */
            name?: string;
            /** The address for mail, which is never published */
            email?: string | null;
        };
        Leaving: {
            /** Your own name as it stands, as a safeguard */
            confirm: string;
            /**
             * Whether what you wrote and your photos stay, or are removed from the log too; names of fountains stay in any case
             */
            texts: "keep" | "erase";
            /** Whether your name stays under photos that stay; false when not given */
            credit?: boolean;
        };
        LinkRedemption: {
            /** The secret, which is not shown again */
            secret: string;
            /** The name of a new account */
            name?: string;
        };
        CodeRequest: {
            /** The address for mail, which is never published */
            email: string;
            /**
             * Whether the address is added to the account in which you are signed in since at most 10 minutes, instead of signing in
             * @default false
             */
            add: boolean;
        };
        CodeRedemption: {
            /** The address for mail, which is never published */
            email: string;
            /** The kind of error */
            code: string;
            /** The name of a new account */
            name?: string;
            /**
             * Whether the address is added to the account in which you are signed in since at most 10 minutes, instead of signing in
             * @default false
             */
            add: boolean;
        };
        PasskeySignIn: {
            /** The credential as JSON (WebAuthn Level 3, `toJSON()`) */
            response: {
                [key: string]: unknown;
            };
        };
        PasskeyAddition: {
            /** The credential as JSON (WebAuthn Level 3, `toJSON()`) */
            response: {
                [key: string]: unknown;
            };
            /** What you recognise it by */
            name: string;
        };
        PasskeyName: {
            /** Name */
            name: string;
        };
        PersonalTokenInput: {
            /** Name */
            name: string;
            /**
             * How long it is good for
             * @default 90
             */
            days: number;
        };
        ReviewInput: {
            /** The reviewed waypoint */
            bubblerId: number;
            /** Rating, 5 is best (stars, 1 to 5) */
            rating: number;
            /** Comment */
            comment?: string | null;
        };
        ReviewPatch: {
            /** Rating, 5 is best (stars, 1 to 5) */
            rating?: number;
            /** Comment */
            comment?: string | null;
        };
        PhotoPatch: {
            /** What it shows, for those who do not see it */
            alt?: string | null;
            /**
             * Whether everybody sees it, or it waits for a moderator, or is hidden
             */
            state?: "shown" | "hidden";
            /** Why it is shown or hidden; it is public */
            reason?: string;
        };
        ObservationInput: {
            /** The observed waypoint */
            bubblerId: number;
            /**
             * What was seen; closed: a city closed its request, which says nothing of the water
             */
            kind: "works" | "broken" | "dry" | "dirty" | "blocked" | "gone" | "closed";
            /** When it was seen, at most 30 days ago. Up to 14 hours ahead of UTC it is of today, for devices of other time zones; not later. Default now */
            observedAt?: string;
            /** Where the observer is. It is not kept: only whether that is known to be within 100 m of the waypoint */
            near?: {
                /** Latitude, WGS 84, in degrees */
                latitude: number;
                /** Longitude, WGS 84, in degrees */
                longitude: number;
                /** How inexact the position is, in metres */
                accuracy?: number;
            } | null;
            /**
             * Format: date
             * The last day without water, at most a year ahead, for `dry` by keepers of the fountain, moderators and API tokens: until then it is `off`
             */
            until?: string;
            /** Comment */
            comment?: string | null;
        };
        ReportInput: {
            /** The waypoint */
            bubblerId?: number;
            /** The review */
            reviewId?: number;
            /** The photo */
            photoId?: number;
            /** The person */
            userId?: string;
            /**
             * Why, in words
             */
            reason: "wrong" | "duplicate" | "gone" | "offensive" | "private";
            /** A remark of whoever made it */
            comment?: string | null;
        };
        ReportDecision: {
            /**
             * Its state
             */
            state: "done" | "dismissed";
            /** A note for those who decide, and for nobody else */
            note?: string | null;
        };
        RowDecisions: {
            /** What is decided of each row */
            decisions: {
                /** The id of the doubtful row */
                id: number;
                /**
                 * `same` waypoint, a `new` one, `skip` not to import it; `open` takes `skip` back
                 */
                decision: "same" | "new" | "skip" | "open";
                /** For `same`: another waypoint than the one that was found */
                waypointId?: number;
            }[];
        };
        ManyInput: {
            /** Which ones: those that match all members */
            where: {
                /** Name */
                name?: string;
                /** Where it is and what is special */
                description?: string;
                /** URL of a picture */
                image?: string;
                /** Who looks after it */
                maintainer?: string;
                /** Town, district or other region */
                region?: string;
                /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
                openingHours?: string;
                /** First and last day of the part of every year in which it gives water; may run across New Year */
                season?: string;
                /**
                 * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
                 */
                drinkable?: "yes" | "no" | "unsigned";
                /**
                 * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
                 */
                access?: "yes" | "customers" | "private" | "unknown";
                /** Identifier of the contributor who added it; `api` for programs and imports */
                addedByUserId?: string;
                /**
                 * Format: date-time
                 * When it was added, UTC
                 */
                createdAt?: string;
                /**
                 * Format: date-time
                 * When it was last changed, UTC
                 */
                updatedAt?: string;
                /** West, south, east and north in degrees */
                bbox?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** Only those with all of these amenities */
                amenity?: string[];
                /** Country that its position lies in, ISO 3166-1 alpha-2 */
                country?: string;
                /** Part of the country that its position lies in, ISO 3166-2 */
                subdivision?: string;
                /** A moderator has looked at the record, or an operator imported it */
                approved?: boolean;
                /** It was checked that the fountain is there */
                verified?: boolean;
                /** Identifier in this registry; never reused */
                id?: number;
                /** Only what this user keeps */
                keeper?: string;
                /** The name of a source */
                source?: string;
                /** The licence: an SPDX id or a name */
                license?: string;
                /** Its status */
                status?: ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone") | ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone")[];
                /** Only those that give water which may be used, or only others */
                usable?: boolean;
                /**
                 * Format: date-time
                 * Only changed at this time or later
                 */
                updatedSince?: string;
                /**
                 * Format: date-time
                 * Only changed at this time or earlier
                 */
                updatedUntil?: string;
                /** These ones, if they match the rest */
                ids?: number[];
            };
            /** What they get; `null` clears */
            set?: {
                /** First and last day of the part of every year in which it gives water; may run across New Year */
                season?: string | null;
                /** Who looks after it */
                maintainer?: string | null;
                /** Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out */
                access?: ("yes" | "customers" | "private" | "unknown") | null;
                /** Whether the water is declared to be drinking water; `unsigned` when nothing there says so */
                drinkable?: ("yes" | "no" | "unsigned") | null;
                /** A moderator has looked at the record, or an operator imported it */
                approved?: boolean;
                /** It was checked that the fountain is there */
                verified?: boolean;
                /** Instead of those that they have */
                amenities?: string[] | null;
                /** Amenities that each gets, unless it has them */
                addAmenities?: string[] | null;
                /** Amenities that each loses */
                removeAmenities?: string[] | null;
            };
            /**
             * Deletes them, instead of `set`
             */
            remove?: true;
            /** Why; it is public */
            reason?: string;
            /** Says which would change, and writes nothing */
            dryRun?: boolean;
        };
        SeasonInput: {
            /** Which ones: those that match all members */
            what?: {
                /** Name */
                name?: string;
                /** Where it is and what is special */
                description?: string;
                /** URL of a picture */
                image?: string;
                /** Who looks after it */
                maintainer?: string;
                /** Town, district or other region */
                region?: string;
                /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
                openingHours?: string;
                /** First and last day of the part of every year in which it gives water; may run across New Year */
                season?: string;
                /**
                 * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
                 */
                drinkable?: "yes" | "no" | "unsigned";
                /**
                 * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
                 */
                access?: "yes" | "customers" | "private" | "unknown";
                /** Identifier of the contributor who added it; `api` for programs and imports */
                addedByUserId?: string;
                /**
                 * Format: date-time
                 * When it was added, UTC
                 */
                createdAt?: string;
                /**
                 * Format: date-time
                 * When it was last changed, UTC
                 */
                updatedAt?: string;
                /** West, south, east and north in degrees */
                bbox?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** Only those with all of these amenities */
                amenity?: string[];
                /** Country that its position lies in, ISO 3166-1 alpha-2 */
                country?: string;
                /** Part of the country that its position lies in, ISO 3166-2 */
                subdivision?: string;
                /** A moderator has looked at the record, or an operator imported it */
                approved?: boolean;
                /** It was checked that the fountain is there */
                verified?: boolean;
                /** Identifier in this registry; never reused */
                id?: number;
                /** Only what this user keeps */
                keeper?: string;
                /** The name of a source */
                source?: string;
                /** The licence: an SPDX id or a name */
                license?: string;
                /** Its status */
                status?: ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone") | ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone")[];
                /** Only those that give water which may be used, or only others */
                usable?: boolean;
                /**
                 * Format: date-time
                 * Only changed at this time or later
                 */
                updatedSince?: string;
                /**
                 * Format: date-time
                 * Only changed at this time or earlier
                 */
                updatedUntil?: string;
            };
            /** Which ones, instead of `what` */
            ids?: number[];
            /** Months and days, such as `04-15/10-31`; `null` clears it */
            season: string | null;
            /** Why; it is public */
            reason: string;
            /** Says which would change, and writes nothing */
            dryRun?: boolean;
        };
        Reasoned: {
            /** Why; it is public */
            reason: string;
        };
        PersonRevert: {
            /**
             * Format: date-time
             * Only what was done then or later
             */
            since: string;
            /** Why; it is public */
            reason: string;
            /** Says what would be undone, and writes nothing */
            dryRun?: boolean;
            /** `next` of the page before */
            before?: number;
        };
        ActUndo: {
            /** Why; it is public */
            reason: string;
            /** Says what would be undone, and writes nothing */
            dryRun?: boolean;
            /** `next` of the page before */
            before?: number;
        };
        BlockInput: {
            /** Why; it is public */
            reason: string;
            /**
             * Format: date-time
             * When it ends; never when absent
             */
            until?: string;
        };
        Merge: {
            /** The waypoint that is kept */
            into: number;
            /** Why; it is public */
            reason: string;
        };
        Distinction: {
            /** The other waypoint */
            from: number;
        };
        BoundingBoxInput: {
            /** Name */
            name: string;
            /** What is to be known of it */
            description?: string | null;
            /**
             * Colour on the map, such as #ff8c00
             * @default #ff8c00
             */
            color: string;
            /** Rings of its polygon as in GeoJSON */
            coordinates: [
                number,
                number
            ][][];
            /**
             * Whatever else is kept with it
             * @default {}
             */
            properties: {
                [key: string]: unknown;
            };
            /**
             * Whether it is shown
             * @default true
             */
            active: boolean;
        };
        BoundingBoxReference: {
            /** Identifier of the area */
            id: number;
        };
        ServiceInformationLicensedResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** The licence of the data: an SPDX id or a name */
            license: string;
            /** Name */
            name: string;
            /** Of the software */
            version: string;
            /** The number of its build; 0 where it has none, as in a checkout */
            build: number;
            /**
             * The version of the API
             */
            apiVersion: "6";
            /** Whom to name when using the data */
            author: string;
            /** Where the API is described */
            documentation: {
                /** The address of the OpenAPI document */
                openapi: string;
                /** The address of the reference */
                reference: string;
            };
        };
        InternalError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Something went wrong here; the id in details finds it in the log of the server (enum property replaced by openapi-typescript)
             */
            code: "INTERNAL";
            /** The facts */
            details: {
                /** The id of the request in the log of the server */
                requestId: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        UnavailableError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The server is busy; try again after the seconds in the Retry-After header (enum property replaced by openapi-typescript)
             */
            code: "UNAVAILABLE";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        Error: components["schemas"]["InvalidInputError"] | components["schemas"]["InvalidCoordinatesError"] | components["schemas"]["UnauthorizedError"] | components["schemas"]["InsufficientXpError"] | components["schemas"]["ForbiddenError"] | components["schemas"]["ReauthenticationRequiredError"] | components["schemas"]["NotFoundError"] | components["schemas"]["MethodNotAllowedError"] | components["schemas"]["RequestTimeoutError"] | components["schemas"]["ConflictError"] | components["schemas"]["DuplicateError"] | components["schemas"]["NotAcceptedError"] | components["schemas"]["GoneError"] | components["schemas"]["PreconditionFailedError"] | components["schemas"]["PayloadTooLargeError"] | components["schemas"]["UnsupportedMediaTypeError"] | components["schemas"]["RangeNotSatisfiableError"] | components["schemas"]["IdempotencyMismatchError"] | components["schemas"]["RateLimitedError"] | components["schemas"]["InternalError"] | components["schemas"]["ChainBrokenError"] | components["schemas"]["StorageCorruptError"] | components["schemas"]["StorageMissingError"] | components["schemas"]["StorageOlderError"] | components["schemas"]["StorageNotErasedError"] | components["schemas"]["UnavailableError"] | components["schemas"]["RegistryClosedError"] | components["schemas"]["ClockBehindError"] | components["schemas"]["StorageUnavailableError"] | components["schemas"]["StorageBusyError"] | components["schemas"]["StorageFullError"] | components["schemas"]["StorageReadOnlyError"] | components["schemas"]["StorageNewerError"];
        InvalidInputError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The input is missing something or malformed (enum property replaced by openapi-typescript)
             */
            code: "INVALID_INPUT";
            /** The facts */
            details: {
                /** What is wrong with the input */
                issues: {
                    /** The member, with dots, or nothing for all */
                    path: string;
                    /** What it must be */
                    message: string;
                }[];
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        InvalidCoordinatesError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The coordinates are out of range: latitude is -90 to 90, longitude -180 to 180 (enum property replaced by openapi-typescript)
             */
            code: "INVALID_COORDINATES";
            /** The facts */
            details: {
                /** What is wrong with the input */
                issues: {
                    /** The member, with dots, or nothing for all */
                    path: string;
                    /** What it must be */
                    message: string;
                }[];
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        UnauthorizedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Authentication is required: sign in, or send an API token (enum property replaced by openapi-typescript)
             */
            code: "UNAUTHORIZED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        InsufficientXpError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * More XP is needed for this; reviews earn XP and need none (enum property replaced by openapi-typescript)
             */
            code: "INSUFFICIENT_XP";
            /** The facts */
            details: {
                /** The points that it needs */
                required: number;
                /** The points that the caller has */
                current: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        ForbiddenError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * You are not allowed to do this (enum property replaced by openapi-typescript)
             */
            code: "FORBIDDEN";
            /** The facts */
            details: {
                /** Why the caller is blocked */
                reason?: string;
                /** When the block ends, UTC */
                blockedUntil?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        ReauthenticationRequiredError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Sign in again: this needs a sign-in within the last 10 minutes (enum property replaced by openapi-typescript)
             */
            code: "REAUTHENTICATION_REQUIRED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        NotFoundError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Not found (enum property replaced by openapi-typescript)
             */
            code: "NOT_FOUND";
            /** The facts */
            details: {
                /** What was looked for */
                thing?: string;
                /** The id that it was looked for by */
                id?: string | number;
                /** The waypoint that it was merged into */
                mergedInto?: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        MethodNotAllowedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * This path does not take this method; the Allow header lists those it takes (enum property replaced by openapi-typescript)
             */
            code: "METHOD_NOT_ALLOWED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        RequestTimeoutError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The request did not arrive whole in time (enum property replaced by openapi-typescript)
             */
            code: "REQUEST_TIMEOUT";
            /** The facts */
            details: {
                /** The time for a body */
                limitMilliseconds?: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        ConflictError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * What was to be undone has been changed since (enum property replaced by openapi-typescript)
             */
            code: "CONFLICT";
            /** The facts */
            details: {
                /** Fields that others changed since */
                fields?: string[];
                /** The state that something is in */
                state?: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        DuplicateError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * There is a waypoint here already (enum property replaced by openapi-typescript)
             */
            code: "DUPLICATE";
            /** The facts */
            details: {
                candidates: components["schemas"]["NearDuplicate"][];
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        NearDuplicate: {
            waypoint: components["schemas"]["Waypoint"];
            /** How far away it is, to a tenth of a metre */
            metres: number;
            /** How certain it is that both are the same fountain, from distance and names */
            score: number;
        };
        Waypoint: {
            /** Identifier in this registry; never reused */
            id: number;
            /** Name */
            name: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude: number;
            /** Where it is and what is special */
            description?: string;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities: string[];
            /** URL of a picture */
            image?: string;
            /** Who looks after it */
            maintainer?: string;
            /** Town, district or other region */
            region?: string;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string;
            /**
             * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
             */
            drinkable?: "yes" | "no" | "unsigned";
            /**
             * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
             */
            access?: "yes" | "customers" | "private" | "unknown";
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: string | number | boolean | string[];
            };
            /** A moderator has looked at the record, or an operator imported it */
            approved: boolean;
            /** It was checked that the fountain is there */
            verified: boolean;
            /** Identifier of the contributor who added it; `api` for programs and imports */
            addedByUserId: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
            /**
             * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
             */
            nameIsMade?: true;
        };
        NotAcceptedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The import was not made: it would take away or take back more than it should; look at what it would do, and accept it (enum property replaced by openapi-typescript)
             */
            code: "NOT_ACCEPTED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        GoneError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * It was removed, and does not come back (enum property replaced by openapi-typescript)
             */
            code: "GONE";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        PreconditionFailedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * It was changed since it was read: look at it as it is now, and decide again (enum property replaced by openapi-typescript)
             */
            code: "PRECONDITION_FAILED";
            /** The facts */
            details: {
                waypoint?: components["schemas"]["Waypoint"];
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        PayloadTooLargeError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The request body is too large (enum property replaced by openapi-typescript)
             */
            code: "PAYLOAD_TOO_LARGE";
            /** The facts */
            details: {
                /** The most bytes of a body */
                limitBytes?: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        UnsupportedMediaTypeError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Send the body as application/json in UTF-8 (enum property replaced by openapi-typescript)
             */
            code: "UNSUPPORTED_MEDIA_TYPE";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        RangeNotSatisfiableError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The requested range lies outside the file (enum property replaced by openapi-typescript)
             */
            code: "RANGE_NOT_SATISFIABLE";
            /** The facts */
            details: {
                /** The size of the file in bytes */
                bytes?: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        IdempotencyMismatchError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * This Idempotency-Key was used for another request: send a new one (enum property replaced by openapi-typescript)
             */
            code: "IDEMPOTENCY_MISMATCH";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        RateLimitedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Too many requests; wait for the seconds in the Retry-After header (enum property replaced by openapi-typescript)
             */
            code: "RATE_LIMITED";
            /** The facts */
            details: {
                /** How many are allowed in a window */
                limit: number;
                /** Seconds */
                windowSeconds: number;
                /** Seconds */
                retryAfterSeconds: number;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        ChainBrokenError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The change log does not continue the known history (enum property replaced by openapi-typescript)
             */
            code: "CHAIN_BROKEN";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageCorruptError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database file is damaged; restore a backup (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_CORRUPT";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageMissingError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database file or its folder does not exist (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_MISSING";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageOlderError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database was written by an earlier version of openfountain, and has to be upgraded (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_OLDER";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageNotErasedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Removed text is still held (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_NOT_ERASED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        RegistryClosedError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The registry was closed: open it again (enum property replaced by openapi-typescript)
             */
            code: "REGISTRY_CLOSED";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        ClockBehindError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The clock is behind the last write (enum property replaced by openapi-typescript)
             */
            code: "CLOCK_BEHIND";
            /** The facts */
            details: {
                /** The time of the clock, UTC */
                now: string;
                /** The time of the last write, UTC */
                newest: string;
            } & {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageUnavailableError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database server cannot be reached; try again later (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_UNAVAILABLE";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageBusyError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * Another process holds the database; try again (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_BUSY";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageFullError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The disk is full; nothing was written (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_FULL";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageReadOnlyError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database cannot be written (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_READ_ONLY";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        StorageNewerError: {
            /** What is wrong and what to do, in words */
            error: string;
            /**
             * The database was written by a newer version of openfountain (enum property replaced by openapi-typescript)
             */
            code: "STORAGE_NEWER";
            /** The facts */
            details: {
                [key: string]: unknown;
            };
            /**
             * Only with the request header API-Version: 6
             */
            success?: false;
            /** The error in words, as in `error` */
            message?: string;
        };
        HealthLicensedResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** The licence of the data: an SPDX id or a name */
            license: string;
            /**
             * Its status
             */
            status: "ok";
            /** Of the software */
            version: string;
            /** The number of its build; 0 where it has none, as in a checkout */
            build: number;
            /** A number that grows with each write */
            revision: number;
            /** Since the newest backup; null without one, absent where the server was not told of their folder */
            backupAgeSeconds?: number | null;
            /** Since exports or site were written; null for never, absent where the server has neither */
            publicationAgeSeconds?: number | null;
            /** Absent where there are none */
            webhooks?: {
                /** How many did not answer, and are tried again */
                failing: number;
                /** How many are switched off */
                off: number;
                /** Whether nothing is sent until the operator resumes it */
                isPaused: boolean;
            };
        };
        ListedWaypoint: {
            /** Identifier in this registry; never reused */
            id: number;
            /** Name */
            name: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude: number;
            /** Where it is and what is special */
            description?: string;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities: string[];
            /** URL of a picture */
            image?: string;
            /** Who looks after it */
            maintainer?: string;
            /** Town, district or other region */
            region?: string;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string;
            /**
             * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
             */
            drinkable?: "yes" | "no" | "unsigned";
            /**
             * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
             */
            access?: "yes" | "customers" | "private" | "unknown";
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: string | number | boolean | string[];
            };
            /** A moderator has looked at the record, or an operator imported it */
            approved: boolean;
            /** It was checked that the fountain is there */
            verified: boolean;
            /** Identifier of the contributor who added it; `api` for programs and imports */
            addedByUserId: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
            /**
             * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
             */
            nameIsMade?: true;
            /** Its licence, where that is not the registry’s; several joined by AND all apply */
            license?: string;
            /** Whom to name, where it has `license` */
            attribution?: string;
            /** How far it is from `near`, in metres */
            metres?: number;
        };
        WaypointResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** Identifier in this registry; never reused */
            id: number;
            /** Name */
            name: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude: number;
            /** Where it is and what is special */
            description?: string;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities: string[];
            /** URL of a picture */
            image?: string;
            /** Who looks after it */
            maintainer?: string;
            /** Town, district or other region */
            region?: string;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string;
            /**
             * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
             */
            drinkable?: "yes" | "no" | "unsigned";
            /**
             * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
             */
            access?: "yes" | "customers" | "private" | "unknown";
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: string | number | boolean | string[];
            };
            /** A moderator has looked at the record, or an operator imported it */
            approved: boolean;
            /** It was checked that the fountain is there */
            verified: boolean;
            /** Identifier of the contributor who added it; `api` for programs and imports */
            addedByUserId: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
            /**
             * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
             */
            nameIsMade?: true;
        };
        PassedWaypoint: {
            waypoint: components["schemas"]["ListedWaypoint"];
            /** Metres from the start of the route */
            along: number;
            /** Metres beside the route */
            off: number;
        };
        WaypointPlace: {
            /** The country, ISO 3166-1 alpha-2 */
            country?: string;
            /** The part of the country, ISO 3166-2 */
            subdivision?: string;
            /** The name of the smallest known place around the position */
            name?: string;
        };
        Status: {
            /**
             * `off` is closed for the season, `reported` what one person says, `unconfirmed` that nobody said anything of late
             */
            state: "works" | "unconfirmed" | "reported" | "broken" | "off" | "gone";
            /**
             * Format: date
             * Its first day, as far as it is known
             */
            since?: string;
            /**
             * Format: date
             * The last day on which somebody saw that it works, here or as a source says it; that a source lists it is no confirmation
             */
            lastConfirmed?: string;
            /** How many people say it; 0 when a source alone does, or the season */
            supporters: number;
            /**
             * Present when others said otherwise before
             */
            contradicted?: true;
        };
        RatingSummary: {
            /** How many reviews there are */
            count: number;
            /** The mean of their ratings, rounded to hundredths; absent without reviews */
            average?: number;
        };
        Photo: {
            /** Identifier of the photo */
            id: number;
            /** The waypoint that it shows */
            bubblerId: number;
            /** Identifier of the author */
            userId: string;
            /** The SPDX id of the licence that its author gave it */
            license: string;
            /** What it shows, for those who do not see it */
            alt?: string;
            /** The day on which it was taken, as its author says */
            takenAt?: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /** Width of the large file (pixels) */
            width: number;
            /** Height of the large file (pixels) */
            height: number;
            /**
             * Whether everybody sees it, or it waits for a moderator, or is hidden
             */
            state: "shown" | "waiting" | "hidden";
            /** The name that stands under it */
            author: string;
            /** WebP files, whose longest sides have at most 2048, 1280 and 320 pixels */
            urls: {
                /** The address of the file of at most 2048 pixels */
                large: string;
                /** The address of the middle-sized file */
                medium: string;
                /** The address of the small file */
                small: string;
            };
        };
        HistoryEntry: {
            /** Identifier */
            id: number;
            /** The waypoint */
            bubblerId: number;
            /** Identifier of who did it */
            userId: string;
            /**
             * What was done
             */
            action: "created" | "edited" | "approved" | "verified" | "deleted" | "unapproved" | "unverified";
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
        };
        WaypointSource: {
            /** Identifier of the source */
            id: number;
            /** Name */
            name: string;
            /** Where it is published */
            url?: string;
            /** Its licence, an SPDX id */
            license: string;
            /** Whom to name */
            attribution?: string;
            /** The source's own id of it */
            ref?: string;
            /** The tags of the object at OpenStreetMap, as they were imported */
            tags?: {
                [key: string]: string;
            };
            /**
             * Format: date-time
             * When an import first found it there, UTC
             */
            firstSeen: string;
            /**
             * Format: date-time
             * When an import last found it there, UTC; `published` is the day as of which it lists it
             */
            lastSeen: string;
            /**
             * Format: date-time
             * When an import first found that it no longer lists it, UTC
             */
            missingSince?: string;
            /**
             * That it gives no water: `broken` is out of order, `off` closed for the season
             */
            state?: "broken" | "off";
            /**
             * Format: date
             * The day on which the source published its newest listing, which has it; absent where it is not known
             */
            published?: string;
            /**
             * Format: date
             * The day on which somebody last looked, as the source says it
             */
            checked?: string;
            /**
             * Format: date
             * The day on which the source last changed what it says of it
             */
            updated?: string;
            /**
             * Format: date
             * The first day of the state, as the source says it
             */
            since?: string;
            /**
             * Format: date
             * The last day of the state, as the source says it
             */
            until?: string;
        };
        OwnUser: {
            /** Identifier of the contributor */
            id: string;
            /** Display name, as chosen by the contributor */
            name: string;
            /** Experience points earned (experience points) */
            xp: number;
            /** Level, derived from the experience points */
            level: number;
            /**
             * Format: date-time
             * When the account was made, UTC
             */
            createdAt: string;
            stats: components["schemas"]["UserStats"];
            /**
             * Present for a moderator
             */
            badge?: "moderator";
            /** The address for mail, which is never published */
            email?: string;
            /** Whether they are a moderator */
            isModerator: boolean;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
            /** What a keeper keeps: the fountains of maintainers, and those of sources */
            keeps?: components["schemas"]["Keeping"][];
            /** While the user may not write; without `until` it has no end */
            blocked?: {
                /** Why, in words */
                reason: string;
                /**
                 * Format: date-time
                 * The last time or day of it, UTC
                 */
                until?: string;
            };
        };
        UserStats: {
            /** Waypoints added */
            waypointsCreated: number;
            /** Edits that changed something */
            waypointsEdited: number;
            /** Reviews written */
            reviewsPosted: number;
        };
        Keeping: {
            /** Who looks after it */
            maintainer?: string;
            /** The name of a source */
            source?: string;
        };
        LeaderboardEntry: {
            /** Identifier of the contributor */
            id: string;
            /** Display name, as chosen by the contributor */
            name: string;
            /** Experience points earned (experience points) */
            xp: number;
            /** Level, derived from the experience points */
            level: number;
            stats: components["schemas"]["UserStats"];
            /** With `since` or `region`: what contributions earned then and there; what the operator granted does not count */
            earned?: number;
        };
        Removal: {
            /**
             * The kind of thing that it is about
             */
            subject: "waypoint" | "review";
            /** Of what was removed */
            id: number;
            /** The waypoint, or that of the review */
            bubblerId: number;
            /** The name that the waypoint had */
            name: string;
            /**
             * Format: date-time
             * When it was removed, UTC
             */
            removedAt: string;
            /** Absent when none was given, or when it was redacted */
            reason?: string;
            /** The waypoint that it was merged into */
            mergedInto?: number;
        };
        Observation: {
            /** Identifier of the observation */
            id: number;
            /** The observed waypoint */
            bubblerId: number;
            /**
             * What was seen; closed: a city closed its request, which says nothing of the water
             */
            kind: "works" | "broken" | "dry" | "dirty" | "blocked" | "gone" | "closed";
            /**
             * Format: date
             * The day on which it was seen, UTC
             */
            observedAt: string;
            /** Whether the observer is known to have been within 100 m */
            near: boolean;
            /** Who it was, by a pseudonym that holds for this waypoint alone */
            observer: string;
            /**
             * Whether it is the word of a moderator, of the operator or of a keeper
             */
            authority?: "moderator" | "operator" | "keeper";
            /**
             * Format: date
             * The last day without water, UTC, where it is closed until then
             */
            until?: string;
            /** Comment */
            comment?: string;
        };
        KeptReport: {
            /** Identifier */
            id: number;
            /**
             * Why, in words
             */
            reason: "wrong" | "duplicate" | "gone" | "offensive" | "private";
            /** A remark of whoever made it */
            comment?: string;
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
        };
        PublicUser: {
            /** Identifier of the contributor */
            id: string;
            /** Display name, as chosen by the contributor */
            name: string;
            /** Experience points earned (experience points) */
            xp: number;
            /** Level, derived from the experience points */
            level: number;
            /**
             * Format: date-time
             * When the account was made, UTC
             */
            createdAt: string;
            stats: components["schemas"]["UserStats"];
            /**
             * Present for a moderator
             */
            badge?: "moderator";
        };
        FormerUser: {
            /** Identifier of the contributor */
            id: string;
            /** Experience points earned (experience points) */
            xp: number;
            /** Level, derived from the experience points */
            level: number;
            /**
             * Format: date-time
             * When the account was made, UTC
             */
            createdAt: string;
            stats: components["schemas"]["UserStats"];
        };
        SignInOfferResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** Those that this server is configured for */
            methods: ("link" | "passkey" | "code" | "provider")[];
            /** Others with whom people sign in */
            providers: {
                /** Identifier */
                id: string;
                /** Name */
                name: string;
            }[];
            /**
             * Who may have a new account: anybody, whoever is invited, nobody
             */
            registration: "open" | "invite" | "closed";
            /** Whoever is signed in */
            user: components["schemas"]["OwnUser"] | null;
            /**
             * Only where people who are not signed in may say `works` and `broken`
             */
            passersBy?: true;
            /**
             * Only where people who are not signed in may report and observe
             */
            openObservations?: true;
            /**
             * Only where the server has a place for photos
             */
            photos?: true;
            /** XP that the observations of whoever is signed in earn once the day is over */
            xpTonight?: number;
            /** The e-mail address of those who run the registry, where they name one */
            contact?: string;
        };
        Passkey: {
            /** Identifier */
            id: number;
            /** Name */
            name: string;
            /** Whether it is copied to other devices of its owner */
            isSynced: boolean;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            addedAt: string;
            /**
             * Format: date-time
             * When it was last used, UTC
             */
            lastUsedAt?: string;
        };
        Identity: {
            /** Identifier */
            id: number;
            /** The id of a provider, or `email` for an address */
            provider: string;
            /** What you recognise it by: a name there, or the address */
            label: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            addedAt: string;
            /**
             * Format: date-time
             * When it was last used, UTC
             */
            lastUsedAt?: string;
        };
        Session: {
            /** Identifier */
            id: number;
            /** The browser and the system, such as Firefox on Linux */
            device?: string;
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * To the hour
             */
            lastUsedAt: string;
            /**
             * Format: date-time
             * When it ends, UTC
             */
            expiresAt: string;
            /** Whether it is the one in which you ask */
            isCurrent: boolean;
        };
        PersonalToken: {
            /** Identifier */
            id: number;
            /** Name */
            name: string;
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it ends, UTC
             */
            expiresAt: string;
            /**
             * Format: date-time
             * To the hour; absent when it was never used
             */
            lastUsedAt?: string;
        };
        Follow: {
            /** `mine`, or random */
            id: string;
            /** What it is about */
            what: {
                /** The waypoint */
                bubblerId?: number;
                /** West, south, east and north in degrees */
                bbox?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** A place */
                near?: {
                    /** Latitude, WGS 84, in degrees */
                    latitude: number;
                    /** Longitude, WGS 84, in degrees */
                    longitude: number;
                };
                /** Metres around the place */
                radius?: number;
                /** Only in this town, district or other region */
                region?: string;
                /** Only in this country, ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, ISO 3166-2 */
                subdivision?: string;
                /** The name of a source */
                source?: string;
                /** Who looks after it */
                maintainer?: string;
                /**
                 * Whether it is about what the caller added or edited
                 */
                mine?: true;
                /**
                 * Whether it is about what waits for moderators
                 */
                queue?: true;
            };
            /** Which events; all when absent */
            events?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
            /** The web alone, the default, or also mail, which needs a verified address, or push to your devices */
            by?: ("web" | "mail" | "push")[];
            /**
             * How often there is a mail at most; default daily
             */
            rhythm?: "at-once" | "daily" | "weekly";
            /**
             * Format: date-time
             * Absent of `mine`, which everybody has from the start
             */
            createdAt?: string;
        };
        Notification: {
            /** The same for ever, and of no other event */
            id: string;
            /** The id of the log entry */
            entryId: number;
            /**
             * What happened
             */
            event: "created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review";
            /** The waypoint */
            bubblerId: number;
            /** The name of the fountain */
            name: string;
            /**
             * Format: date-time
             * When, UTC
             */
            at: string;
            /**
             * Who did it; `moderator` where one removed something or took a mark away, `observer` somebody at the fountain
             */
            by: "person" | "moderator" | "program" | "observer";
            /** The name of a person who has not left */
            byName?: string;
            /** The public reason */
            reason?: string;
            /** Whether it was read */
            isRead: boolean;
            /** Where it is shown */
            url: string;
        };
        DecidedReport: {
            /** The id of the report */
            id: number;
            /** The waypoint */
            bubblerId?: number;
            /** The review */
            reviewId?: number;
            /** The photo */
            photoId?: number;
            /** The person */
            userId?: string;
            /**
             * Why, in words
             */
            reason: "wrong" | "duplicate" | "gone" | "offensive" | "private";
            /**
             * `dismissed` where nothing was to be done
             */
            state: "done" | "dismissed";
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When a moderator decided
             */
            decidedAt: string;
            /** Whether it was read */
            isRead: boolean;
        };
        Review: {
            /** Identifier of the review */
            id: number;
            /** The reviewed waypoint */
            bubblerId: number;
            /** Identifier of the author */
            userId: string;
            /** Rating, 5 is best (stars, 1 to 5) */
            rating: number;
            /** Comment */
            comment?: string;
            /**
             * Format: date-time
             * When it was written, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
        };
        Report: {
            /** Identifier */
            id: number;
            /** The waypoint */
            bubblerId?: number;
            /** The review */
            reviewId?: number;
            /** The photo */
            photoId?: number;
            /** The person */
            userId?: string;
            /**
             * Why, in words
             */
            reason: "wrong" | "duplicate" | "gone" | "offensive" | "private";
            /** A remark of whoever made it */
            comment?: string;
            /**
             * Its state
             */
            state: "open" | "done" | "dismissed";
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
            /** Who reported it; absent for passers-by, for those who left, and for API tokens */
            by?: components["schemas"]["NamedUser"];
            /** What the moderator noted */
            note?: string;
            /**
             * Format: date-time
             * When it was decided, UTC
             */
            decidedAt?: string;
        };
        NamedUser: {
            /** Identifier of the contributor */
            id: string;
            /** Display name, as chosen by the contributor */
            name?: string;
        };
        QueueItem: {
            /**
             * Its kind
             */
            kind: "unapproved" | "unverified" | "reported" | "duplicates" | "bursts" | "doubtful" | "photos";
            /** The newer one of duplicates; the one that a doubtful row may be, unless it is gone */
            waypoint?: components["schemas"]["Waypoint"];
            /** The older one of duplicates */
            other?: components["schemas"]["Waypoint"];
            review?: components["schemas"]["Review"];
            /** One that waits or is reported */
            photo?: components["schemas"]["Photo"];
            /** Whom it is about; for waypoints who added them, unless it was a program */
            user?: components["schemas"]["PublicUser"] | components["schemas"]["FormerUser"];
            /** In English; the other members say it in numbers */
            why: string;
            /**
             * Format: date-time
             * Since when, UTC
             */
            since: string;
            /** Open ones, oldest first */
            reports?: components["schemas"]["Report"][];
            /** The doubtful row of an import */
            row?: components["schemas"]["DoubtfulRow"];
            /** How far apart the two are */
            metres?: number;
            /** How alike the two are, 0 to 1 */
            score?: number;
            /** How many changes of late stand */
            changes?: number;
        };
        DoubtfulRow: {
            /** Identifier in this registry; never reused */
            id: number;
            /** Identifier of the source */
            sourceId: number;
            /** The name of the source */
            source: string;
            /** The source’s own reference, or one that stands for the place */
            ref: string;
            /** The number of the row in the newest file */
            row: number;
            /** Empty for one without a name */
            name: string;
            /** Latitude, WGS 84, -90 to 90 (degree) */
            latitude: number;
            /** Longitude, WGS 84, -180 to 180 (degree) */
            longitude: number;
            /** What it offers, in the vocabulary of the registry; an amenity that is absent is unknown */
            amenities?: string[];
            /** Where it is and what is special */
            description?: string;
            /** URL of a picture */
            image?: string;
            /** Who looks after it */
            maintainer?: string;
            /** Town, district or other region */
            region?: string;
            /** When it gives water, in the form of `opening_hours` of OpenStreetMap */
            openingHours?: string;
            /** First and last day of the part of every year in which it gives water; may run across New Year */
            season?: string;
            /**
             * Whether the water is declared to be drinking water; `unsigned` when nothing there says so
             */
            drinkable?: "yes" | "no" | "unsigned";
            /**
             * Who may use it: everybody, customers, or nobody but its owners; `unknown` when that was asked and not found out
             */
            access?: "yes" | "customers" | "private" | "unknown";
            /** Fields of its own that the registry declares, by their names */
            properties?: {
                [key: string]: string | number | boolean | string[];
            };
        };
        DecidedRow: {
            /** Identifier */
            id: number;
            /**
             * Absent where it was refused
             */
            decision?: "same" | "new" | "skip" | "open";
            /** The waypoint that the row is now */
            waypointId?: number;
            /** Why it was refused; nothing of it was written */
            error?: {
                /** The kind of error */
                code: string;
                /** The error in words, as in `error` */
                message: string;
            };
        };
        ManyChangedResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** The act, which can be undone; absent where nothing changed */
            act?: number;
            /** The ids of the waypoints that changed, ascending */
            changed: number[];
            /** How many there are, with those that are so already; of a dry run alone */
            matched?: number;
        };
        Work: {
            /** Absent for reports of people */
            waypointId?: number;
            /** As it is now; absent once it is deleted */
            waypoint?: components["schemas"]["Waypoint"];
            review?: components["schemas"]["Review"];
            photo?: components["schemas"]["Photo"];
            observation?: components["schemas"]["Observation"];
            /** What the person reported */
            report?: components["schemas"]["Report"];
        };
        ModerationAct: {
            /** The first of its entries */
            id: number;
            /**
             * Its kind
             */
            kind: "approved" | "unapproved" | "verified" | "unverified" | "edited" | "hidden" | "shown" | "deleted" | "reverted" | "merged" | "restored" | "blocked" | "unblocked" | "redacted";
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
            /** Who did it; `api` is the operator or a program */
            user: components["schemas"]["NamedUser"];
            /** Why, in words */
            reason?: string;
            /**
             * The reason was removed
             */
            redacted?: true;
            /** The entries of the log, ascending */
            entries: number[];
            /** The waypoint */
            waypoint?: {
                /** Identifier */
                id: number;
                /** Name */
                name: string;
            };
            /** The waypoint that it was merged into */
            into?: {
                /** Identifier */
                id: number;
                /** Name */
                name: string;
            };
            /** The review */
            review?: {
                /** Identifier */
                id: number;
                /** The waypoint */
                waypoint: {
                    /** Identifier */
                    id: number;
                    /** Name */
                    name: string;
                };
            };
            /** The photo */
            photo?: {
                /** Identifier */
                id: number;
                /** The waypoint */
                waypoint: {
                    /** Identifier */
                    id: number;
                    /** Name */
                    name: string;
                };
            };
            /** Who was blocked, or whose changes were undone or redacted */
            person?: components["schemas"]["NamedUser"];
            /**
             * Format: date-time
             * The end of a block
             */
            until?: string;
        };
        RevertConflict: {
            /** The entry, of which the other fields are undone */
            entry: number;
            /** What others changed since; may be empty */
            fields: string[];
        };
        StatisticsLicensedResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** The licence of the data: an SPDX id or a name */
            license: string;
            /** Live waypoints */
            totalWaypoints: number;
            /** Live waypoints that are verified */
            totalVerifiedWaypoints: number;
            /** Accounts, without the built-in one */
            totalUsers: number;
            /** Live reviews */
            totalReviews: number;
            /** Everything that contributors ever did */
            totalContributions: number;
        };
        LogEntry: {
            /** Identifier */
            id: number;
            /** The waypoint */
            bubblerId: number;
            /** Identifier of who did it */
            userId: string;
            /**
             * What was done
             */
            action: "created" | "edited" | "approved" | "verified" | "deleted" | "unapproved" | "unverified";
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
            /** What changed, by field: its values before and after */
            changes: {
                [key: string]: unknown;
            };
            redacted?: components["schemas"]["Redaction"];
        };
        Redaction: {
            /** Why, in words */
            reason: string;
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
            /** The fields that it is about */
            fields: string[];
        };
        RecentLogEntry: {
            /** Identifier */
            id: number;
            /** The waypoint */
            bubblerId: number;
            /** Identifier of who did it */
            userId: string;
            /**
             * What was done
             */
            action: "created" | "edited" | "approved" | "verified" | "deleted" | "unapproved" | "unverified";
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
            /** What changed, by field: its values before and after */
            changes: {
                [key: string]: unknown;
            };
            redacted?: components["schemas"]["Redaction"];
            /** Who it is */
            user: {
                /** Absent for somebody who has left */
                name?: string;
                /**
                 * Present for a moderator
                 */
                badge?: "moderator";
            };
            /** The waypoint */
            waypoint: {
                /** Name */
                name: string;
                /**
                 * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
                 */
                nameIsMade?: true;
            };
        };
        Head: {
            /** Identifier */
            id: number;
            /** The root of the tree over all entries, in hexadecimal */
            hash: string;
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp?: string;
        };
        DescribedLogEntry: {
            /** Identifier */
            id: number;
            /** The waypoint */
            bubblerId: number;
            /** Identifier of who did it */
            userId: string;
            /**
             * What was done
             */
            action: "created" | "edited" | "approved" | "verified" | "deleted" | "unapproved" | "unverified";
            /**
             * Format: date-time
             * When, UTC
             */
            timestamp: string;
            /** What changed, by field: its values before and after */
            changes: {
                [key: string]: unknown;
            };
            redacted?: components["schemas"]["Redaction"];
            /** Who it is */
            user: {
                /** Identifier */
                id: string;
                /** Absent for somebody who has left */
                name?: string;
                /** Level, derived from the experience points */
                level: number;
                /**
                 * Present for a moderator
                 */
                badge?: "moderator";
            };
            /** The waypoint */
            waypoint: {
                /** Identifier */
                id: number;
                /** Name */
                name: string;
                /**
                 * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
                 */
                nameIsMade?: true;
                /** Latitude, WGS 84, in degrees */
                latitude: number;
                /** Longitude, WGS 84, in degrees */
                longitude: number;
            };
        };
        LoggedEntry: {
            /** Identifier */
            id: number;
            /**
             * Format: date-time
             * When, UTC
             */
            at: string;
            /** Identifier of who did it; `api` for programs and imports */
            by: string;
            /**
             * The kind of thing that it is about
             */
            subject: "waypoint" | "review" | "observation" | "photo" | "user" | "area" | "source" | "import" | "record" | "entry";
            /** The identifier of that thing */
            subjectId: number | string;
            /** What was done */
            action: string;
            /** The fields that it is about */
            fields: {
                [key: string]: unknown;
            };
            /** The random bytes that hide the values, in hexadecimal; absent after a redaction */
            seed?: string;
            /** Salts of the fields that are left, by their names */
            salts?: {
                [key: string]: string;
            };
            /** Commitments of redacted fields, by their names */
            commitments?: {
                [key: string]: string;
            };
            /** Who earned how many points, for what: `[user, event, points]` */
            awards: [
                string,
                string,
                number
            ][];
            /** What it belongs to */
            links: {
                /** The first entry of the act that it is part of */
                act?: number;
                /** The entry that it takes back */
                reverts?: number;
                /** The entry whose deletion it takes back */
                restores?: number;
                /** The waypoint that it was merged into */
                mergedInto?: number;
            };
            /** Whether fields are left out here for their licence */
            withheld?: string;
        };
        Webhook: {
            /** Identifier */
            id: string;
            /** Its address */
            url: string;
            /** What it is about */
            what: {
                /** West, south, east and north in degrees */
                bbox?: [
                    number,
                    number,
                    number,
                    number
                ];
                /** Only in this town, district or other region */
                region?: string;
                /** Only in this country, ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, ISO 3166-2 */
                subdivision?: string;
                /** The name of a source */
                source?: string;
                /** Who looks after it */
                maintainer?: string;
                /** The waypoint */
                bubblerId?: number;
                /** A place */
                near?: {
                    /** Latitude, WGS 84, in degrees */
                    latitude: number;
                    /** Longitude, WGS 84, in degrees */
                    longitude: number;
                    /** Metres around the place */
                    radius: number;
                };
                /** Identifier of who did it */
                userId?: string;
            };
            /** Which events; all when absent */
            events?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
            /** What is to be known of it */
            description?: string;
            /** False once it was switched off, by somebody or after the last try */
            active: boolean;
            /** The id of the log entry up to which it was told everything */
            place: number;
            /** How often the next event was tried */
            attempts: number;
            /**
             * Format: date-time
             * When it is tried again
             */
            nextAt?: string;
            /** The HTTP status of the newest answer */
            lastStatus?: number;
            /** Why the newest try failed */
            lastError?: string;
            /** The log entries that it refused, kept for sending them again */
            kept: number[];
            /**
             * Format: date-time
             * When it was made, UTC
             */
            createdAt: string;
        };
        BoundingBox: {
            /** Identifier of the area */
            id: number;
            /** Name */
            name: string;
            /** What is to be known of it */
            description?: string;
            /** Colour on the map, such as #ff8c00 */
            color: string;
            /** Rings of its polygon as in GeoJSON */
            coordinates: [
                number,
                number
            ][][];
            /** Whatever else is kept with it */
            properties: {
                [key: string]: unknown;
            };
            /** Whether it is shown */
            active: boolean;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When it was last changed, UTC
             */
            updatedAt: string;
        };
        Source: {
            /** Identifier of the source */
            id: number;
            /** Name */
            name: string;
            /** Where it is published */
            url?: string;
            /** Its licence, an SPDX id */
            license: string;
            /** Whom to name */
            attribution?: string;
            /**
             * Format: date-time
             * When it was added, UTC
             */
            createdAt: string;
            /**
             * Format: date-time
             * When its terms were last changed, UTC
             */
            updatedAt: string;
            /** Live waypoints that came from it */
            waypoints: number;
            /**
             * Format: date-time
             * When it was last imported, UTC
             */
            lastImport?: string;
            /**
             * Format: date
             * The day on which it published what was imported last as a whole, as far as it is known
             */
            published?: string;
            harvesting?: components["schemas"]["Harvesting"];
        };
        /** How often the source is harvested, when it was last found as it is here, when it is next looked at, since when it could not be harvested, and the latest harvests, newest first */
        Harvesting: {
            /**
             * How often it is fetched
             */
            every: "hour" | "day" | "week" | "month" | "never";
            /**
             * Format: date-time
             * When it was last fetched, UTC
             */
            checkedAt?: string;
            /**
             * Format: date-time
             * When it is fetched next, UTC
             */
            nextAt?: string;
            /**
             * Format: date-time
             * Since when it could not be fetched, UTC; absent when it could
             */
            staleSince?: string;
            harvests: components["schemas"]["Harvest"][];
        };
        Harvest: {
            /**
             * Format: date-time
             * When it began, UTC
             */
            startedAt: string;
            /**
             * Format: date-time
             * When it ended, UTC
             */
            endedAt: string;
            /**
             * `imported`, `unchanged` since the last one, `stopped` before it wrote, or `failed`
             */
            outcome: "imported" | "unchanged" | "stopped" | "failed";
            /**
             * Why it stopped or failed
             */
            reason?: "unreachable" | "address" | "answer" | "size" | "pages" | "file" | "shrink" | "older" | "partial" | "secret" | "interrupted" | "registry";
            /** The HTTP status of the answer */
            status?: number;
            /** Rows that were read */
            read: number;
            /** New waypoints */
            added: number;
            /** Changed waypoints */
            changed: number;
            /** Waypoints that it no longer lists, marked or removed */
            missing: number;
            /** Rows that were refused */
            refused: number;
        };
        ExportFile: {
            /** What follows /api/exports/; files of one licence may stand in a folder of its name */
            file: string;
            /** A name for people */
            title?: string;
            /** Its media type */
            mediaType: string;
            /** Its size in bytes */
            bytes: number;
            /** Its SHA-256, in hexadecimal */
            sha256: string;
            /** How many rows it has */
            rows?: number;
            /** An SPDX id or a name */
            license: string;
            /**
             * Format: date-time
             * The time of its data: the last write, or of when its states are
             */
            createdAt: string;
            /** How old its content is, in seconds */
            ageSeconds: number;
        };
        OgcLink: {
            /** The address */
            href: string;
            /** The relation of the link (IANA) */
            rel: string;
            /** Its type */
            type?: string;
            /** A name for people */
            title?: string;
        };
        ProblemDocument: {
            /**
             * Its type
             */
            type: "about:blank";
            /**
             * A name for people
             */
            title: "INVALID_INPUT" | "INVALID_COORDINATES" | "UNAUTHORIZED" | "INSUFFICIENT_XP" | "FORBIDDEN" | "REAUTHENTICATION_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "DUPLICATE" | "NOT_ACCEPTED" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "CHAIN_BROKEN" | "STORAGE_CORRUPT" | "STORAGE_MISSING" | "STORAGE_OLDER" | "STORAGE_NOT_ERASED" | "UNAVAILABLE" | "REGISTRY_CLOSED" | "CLOCK_BEHIND" | "STORAGE_UNAVAILABLE" | "STORAGE_BUSY" | "STORAGE_FULL" | "STORAGE_READ_ONLY" | "STORAGE_NEWER";
            /** Its status */
            status: number;
            /** What is wrong and what to do, in words */
            detail: string;
            /**
             * The kind of error
             */
            code: "INVALID_INPUT" | "INVALID_COORDINATES" | "UNAUTHORIZED" | "INSUFFICIENT_XP" | "FORBIDDEN" | "REAUTHENTICATION_REQUIRED" | "NOT_FOUND" | "METHOD_NOT_ALLOWED" | "REQUEST_TIMEOUT" | "CONFLICT" | "DUPLICATE" | "NOT_ACCEPTED" | "GONE" | "PRECONDITION_FAILED" | "PAYLOAD_TOO_LARGE" | "UNSUPPORTED_MEDIA_TYPE" | "RANGE_NOT_SATISFIABLE" | "IDEMPOTENCY_MISMATCH" | "RATE_LIMITED" | "INTERNAL" | "CHAIN_BROKEN" | "STORAGE_CORRUPT" | "STORAGE_MISSING" | "STORAGE_OLDER" | "STORAGE_NOT_ERASED" | "UNAVAILABLE" | "REGISTRY_CLOSED" | "CLOCK_BEHIND" | "STORAGE_UNAVAILABLE" | "STORAGE_BUSY" | "STORAGE_FULL" | "STORAGE_READ_ONLY" | "STORAGE_NEWER";
            /** The facts, as in other errors of the code */
            details: {
                [key: string]: unknown;
            };
        };
        OgcCollection: {
            /** Identifier */
            id: string;
            /** A name for people */
            title: string;
            /** What is to be known of it */
            description: string;
            /**
             * What its items are
             */
            itemType: "feature";
            /** The space and time that it covers */
            extent: {
                /** The box that it covers */
                spatial: {
                    /** West, south, east and north in degrees */
                    bbox: number[][];
                    /** Coordinate systems, by their URIs */
                    crs: string;
                };
                /** The time that it covers */
                temporal: {
                    /** Pairs of times, null where it is open */
                    interval: unknown[][];
                };
            };
            /** Reference systems that it can be asked for in */
            crs: string[];
            /** The coordinate system in which positions are kept */
            storageCrs: string;
            links: components["schemas"]["OgcLink"][];
        };
        OgcCollectionResponse: {
            /**
             * Only with the request header API-Version: 6
             */
            success?: true;
            /** Identifier */
            id: string;
            /** A name for people */
            title: string;
            /** What is to be known of it */
            description: string;
            /**
             * What its items are
             */
            itemType: "feature";
            /** The space and time that it covers */
            extent: {
                /** The box that it covers */
                spatial: {
                    /** West, south, east and north in degrees */
                    bbox: number[][];
                    /** Coordinate systems, by their URIs */
                    crs: string;
                };
                /** The time that it covers */
                temporal: {
                    /** Pairs of times, null where it is open */
                    interval: unknown[][];
                };
            };
            /** Reference systems that it can be asked for in */
            crs: string[];
            /** The coordinate system in which positions are kept */
            storageCrs: string;
            links: components["schemas"]["OgcLink"][];
        };
        GeoReportErrors: {
            /** The HTTP status */
            code: number;
            /** What is wrong and what to do, in words */
            description: string;
        }[];
        ServiceRequest: {
            /** The id of the waypoint */
            service_request_id: string;
            /**
             * Open while it gives no water
             */
            status: "open" | "closed";
            /** Its state in words */
            status_notes: string;
            /** Its name */
            service_name: string;
            /**
             * The service
             */
            service_code: "broken" | "gone";
            /** The name of the waypoint */
            description: string;
            /** Its maintainer */
            agency_responsible?: string;
            /**
             * Format: date-time
             * The first day of the fault, of an open one, as far as it is known
             */
            requested_datetime?: string;
            /**
             * Format: date-time
             * When its state was last told, UTC
             */
            updated_datetime: string;
            /** Its region */
            address?: string;
            /** Degrees */
            lat: number;
            /** Degrees */
            long: number;
        };
    };
    responses: {
        /** INTERNAL */
        INTERNAL: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InternalError"];
            };
        };
        /** UNAVAILABLE */
        UNAVAILABLE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"];
            };
        };
        /** Any other error */
        ERROR: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["Error"];
            };
        };
        /** NOT_FOUND */
        NOT_FOUND: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["NotFoundError"];
            };
        };
        /** INVALID_INPUT, INVALID_COORDINATES */
        "INVALID_INPUT.INVALID_COORDINATES": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"] | components["schemas"]["InvalidCoordinatesError"];
            };
        };
        /** UNAUTHORIZED */
        UNAUTHORIZED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnauthorizedError"];
            };
        };
        /** INSUFFICIENT_XP, FORBIDDEN */
        "INSUFFICIENT_XP.FORBIDDEN": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientXpError"] | components["schemas"]["ForbiddenError"];
            };
        };
        /** REQUEST_TIMEOUT */
        REQUEST_TIMEOUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RequestTimeoutError"];
            };
        };
        /** DUPLICATE */
        DUPLICATE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["DuplicateError"];
            };
        };
        /** PAYLOAD_TOO_LARGE */
        PAYLOAD_TOO_LARGE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PayloadTooLargeError"];
            };
        };
        /** UNSUPPORTED_MEDIA_TYPE */
        UNSUPPORTED_MEDIA_TYPE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnsupportedMediaTypeError"];
            };
        };
        /** IDEMPOTENCY_MISMATCH */
        IDEMPOTENCY_MISMATCH: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["IdempotencyMismatchError"];
            };
        };
        /** RATE_LIMITED */
        RATE_LIMITED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RateLimitedError"];
            };
        };
        /** UNAVAILABLE, CLOCK_BEHIND */
        "UNAVAILABLE.CLOCK_BEHIND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["UnavailableError"] | components["schemas"]["ClockBehindError"];
            };
        };
        /** INVALID_INPUT */
        INVALID_INPUT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InvalidInputError"];
            };
        };
        /** PRECONDITION_FAILED */
        PRECONDITION_FAILED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["PreconditionFailedError"];
            };
        };
        /** FORBIDDEN */
        FORBIDDEN: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"];
            };
        };
        /** FORBIDDEN, REAUTHENTICATION_REQUIRED */
        "FORBIDDEN.REAUTHENTICATION_REQUIRED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ForbiddenError"] | components["schemas"]["ReauthenticationRequiredError"];
            };
        };
        /** CONFLICT */
        CONFLICT: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ConflictError"];
            };
        };
        /** REAUTHENTICATION_REQUIRED */
        REAUTHENTICATION_REQUIRED: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["ReauthenticationRequiredError"];
            };
        };
        /** GONE */
        GONE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GoneError"];
            };
        };
        /** INSUFFICIENT_XP, FORBIDDEN, REAUTHENTICATION_REQUIRED */
        "INSUFFICIENT_XP.FORBIDDEN.REAUTHENTICATION_REQUIRED": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["InsufficientXpError"] | components["schemas"]["ForbiddenError"] | components["schemas"]["ReauthenticationRequiredError"];
            };
        };
        /** RANGE_NOT_SATISFIABLE */
        RANGE_NOT_SATISFIABLE: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["RangeNotSatisfiableError"];
            };
        };
        /** INVALID_INPUT */
        "OGC.INVALID_INPUT": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** INTERNAL */
        "OGC.INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** UNAVAILABLE */
        "OGC.UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** Any other error */
        "OGC.ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** INVALID_INPUT, INVALID_COORDINATES */
        "OGC.INVALID_INPUT.INVALID_COORDINATES": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** NOT_FOUND */
        "OGC.NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["ProblemDocument"];
            };
        };
        /** INTERNAL */
        "Open311.INTERNAL": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoReportErrors"];
            };
        };
        /** UNAVAILABLE */
        "Open311.UNAVAILABLE": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoReportErrors"];
            };
        };
        /** Any other error */
        "Open311.ERROR": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoReportErrors"];
            };
        };
        /** INVALID_INPUT */
        "Open311.INVALID_INPUT": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoReportErrors"];
            };
        };
        /** NOT_FOUND */
        "Open311.NOT_FOUND": {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/json": components["schemas"]["GeoReportErrors"];
            };
        };
    };
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    getService: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Name, versions, licence and documentation */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "name": "Fountains of three cities",
                     *       "version": "…",
                     *       "build": 0,
                     *       "apiVersion": "6",
                     *       "author": "Water Club",
                     *       "documentation": {
                     *         "openapi": "/api/openapi",
                     *         "reference": "/api/docs"
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["ServiceInformationLicensedResponse"];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "status": "ok",
                     *       "version": "…",
                     *       "build": 0,
                     *       "revision": 51
                     *     }
                     */
                    "application/json": components["schemas"]["HealthLicensedResponse"];
                };
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getMetrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Counters, histograms and gauges */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listWaypoints: {
        parameters: {
            query?: {
                /** Only those whose `name` is this */
                name?: string;
                /** Only those whose `description` is this */
                description?: string;
                /** Only those whose `image` is this */
                image?: string;
                /** Only those whose `maintainer` is this */
                maintainer?: string;
                /** Only in this region: the one that was given, or the place around those without one */
                region?: string;
                /** Only those whose `openingHours` is this */
                openingHours?: string;
                /** Only those whose `season` is this */
                season?: string;
                /** Only those whose water is declared so */
                drinkable?: "yes" | "no" | "unsigned";
                /** Only those that these may use */
                access?: "yes" | "customers" | "private" | "unknown";
                /** Only those whose `addedByUserId` is this */
                addedByUserId?: string;
                /** Only those whose `createdAt` is this */
                createdAt?: string;
                /** Only those whose `updatedAt` is this */
                updatedAt?: string;
                /** Only this one */
                id?: number;
                /** Only inside west,south,east,north in degrees; west beyond east crosses the antimeridian */
                bbox?: string;
                /** Nearest to latitude,longitude in degrees first */
                near?: string;
                /** Only within so many metres of `near` */
                radius?: number;
                /** Only with this amenity; with all of them when given several times */
                amenity?: string[];
                /** Only in this country, by its position: ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, by its position: ISO 3166-2 */
                subdivision?: string;
                /** Only approved ones, or only others */
                approved?: boolean;
                /** Only verified ones, or only others */
                verified?: boolean;
                /** Only from the source of this name */
                source?: string;
                /** Only under this licence: that of a source, or the registry's for those without one */
                license?: string;
                /** Only those that are one of these today, joined by commas; `usable` alone is the same as usable=true */
                status?: ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone" | "usable")[];
                /** Only those that are neither out of order, off, gone, private, nor declared not to be drinking water; or only others */
                usable?: boolean;
                /** Only those that the user with this id keeps */
                keeper?: string;
                /** Only changed at this time or later */
                updatedSince?: string;
                /** Only changed at this time or earlier */
                updatedUntil?: string;
                /** How many; all when not given */
                limit?: number;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The waypoints; nearest first with `near` */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "author": "Water Club",
                     *       "waypoints": [
                     *         {
                     *           "id": 1,
                     *           "name": "Running fountain",
                     *           "latitude": 47.36975,
                     *           "longitude": 8.599256,
                     *           "amenities": [
                     *             "fountain"
                     *           ],
                     *           "region": "Zürich",
                     *           "drinkable": "yes",
                     *           "access": "yes",
                     *           "approved": true,
                     *           "verified": false,
                     *           "addedByUserId": "api",
                     *           "createdAt": "2026-06-01T08:00:03.000Z",
                     *           "updatedAt": "2026-06-01T08:02:20.000Z",
                     *           "nameIsMade": true,
                     *           "license": "CC0-1.0",
                     *           "attribution": "Stadt Zürich"
                     *         },
                     *         {
                     *           "id": 2,
                     *           "name": "Running fountain",
                     *           "latitude": 47.369289,
                     *           "longitude": 8.590811,
                     *           "amenities": [
                     *             "fountain"
                     *           ],
                     *           "maintainer": "Wasserversorgung",
                     *           "region": "Zürich",
                     *           "openingHours": "Mo-Su 06:00-22:00",
                     *           "season": "04-01/10-31",
                     *           "access": "yes",
                     *           "approved": true,
                     *           "verified": true,
                     *           "addedByUserId": "api",
                     *           "createdAt": "2026-06-01T08:00:03.000Z",
                     *           "updatedAt": "2026-06-01T08:00:40.000Z",
                     *           "nameIsMade": true,
                     *           "license": "CC0-1.0",
                     *           "attribution": "Stadt Zürich"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        /** Whom to name when using the data */
                        author: string;
                        waypoints: components["schemas"]["ListedWaypoint"][];
                    };
                    "application/geo+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createWaypoint: {
        parameters: {
            query?: {
                /** Only when no other waypoint is within so many metres */
                unlessNear?: number;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaypointInput"];
            };
        };
        responses: {
            /** The waypoint */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 24,
                     *       "name": "Limmat quay",
                     *       "latitude": 47.3779,
                     *       "longitude": 8.5403,
                     *       "amenities": [
                     *         "bottle-filler"
                     *       ],
                     *       "region": "Zürich",
                     *       "approved": false,
                     *       "verified": false,
                     *       "addedByUserId": "person-1",
                     *       "createdAt": "2026-06-01T08:00:25.000Z",
                     *       "updatedAt": "2026-06-01T08:00:25.000Z"
                     *     }
                     */
                    "application/json": components["schemas"]["WaypointResponse"];
                };
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["INSUFFICIENT_XP.FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["DUPLICATE"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    searchWaypoints: {
        parameters: {
            query: {
                /** What to look for */
                q: string;
                /** How many */
                limit?: number;
                /** How many to leave out at the beginning */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** What was found, which may be nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "waypoints": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        /** The waypoints */
                        waypoints: {
                            /** Identifier in this registry; never reused */
                            id: number;
                            /** Name */
                            name: string;
                            /** Latitude, WGS 84, -90 to 90 (degree) */
                            latitude: number;
                            /** Longitude, WGS 84, -180 to 180 (degree) */
                            longitude: number;
                            /** Where it is and what is special */
                            description?: string;
                            /** Town, district or other region */
                            region?: string;
                            /**
                             * Present when it has no name: `name` is then a label by its kind and its place, in the language of the registry
                             */
                            nameIsMade?: true;
                            /** Its licence, where that is not the registry’s; several joined by AND all apply */
                            license?: string;
                            /** Whom to name, where it has `license` */
                            attribution?: string;
                        }[];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listNearDuplicates: {
        parameters: {
            query: {
                /** The latitude of the new one */
                lat: number;
                /** The longitude of the new one */
                lng: number;
                /** The name of the new one, if it has one */
                name?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The candidates, which may be none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "candidates": [
                     *         {
                     *           "waypoint": {
                     *             "id": 24,
                     *             "name": "Limmat quay",
                     *             "latitude": 47.3779,
                     *             "longitude": 8.5403,
                     *             "amenities": [
                     *               "bottle-filler"
                     *             ],
                     *             "region": "Zürich",
                     *             "approved": false,
                     *             "verified": false,
                     *             "addedByUserId": "person-1",
                     *             "createdAt": "2026-06-01T08:00:25.000Z",
                     *             "updatedAt": "2026-06-01T08:00:25.000Z"
                     *           },
                     *           "metres": 0,
                     *           "score": 1
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        candidates: components["schemas"]["NearDuplicate"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    findAlong: {
        parameters: {
            query?: {
                /** Only those whose `name` is this */
                name?: string;
                /** Only those whose `description` is this */
                description?: string;
                /** Only those whose `image` is this */
                image?: string;
                /** Only those whose `maintainer` is this */
                maintainer?: string;
                /** Only in this region: the one that was given, or the place around those without one */
                region?: string;
                /** Only those whose `openingHours` is this */
                openingHours?: string;
                /** Only those whose `season` is this */
                season?: string;
                /** Only those whose water is declared so */
                drinkable?: "yes" | "no" | "unsigned";
                /** Only those that these may use */
                access?: "yes" | "customers" | "private" | "unknown";
                /** Only those whose `addedByUserId` is this */
                addedByUserId?: string;
                /** Only those whose `createdAt` is this */
                createdAt?: string;
                /** Only those whose `updatedAt` is this */
                updatedAt?: string;
                /** Only this one */
                id?: number;
                /** Only with this amenity; with all of them when given several times */
                amenity?: string[];
                /** Only in this country, by its position: ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, by its position: ISO 3166-2 */
                subdivision?: string;
                /** Only approved ones, or only others */
                approved?: boolean;
                /** Only verified ones, or only others */
                verified?: boolean;
                /** Only from the source of this name */
                source?: string;
                /** Only under this licence: that of a source, or the registry's for those without one */
                license?: string;
                /** Only those that are one of these today, joined by commas; `usable` alone is the same as usable=true */
                status?: ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone" | "usable")[];
                /** Only those that are neither out of order, off, gone, private, nor declared not to be drinking water; or only others */
                usable?: boolean;
                /** Only those that the user with this id keeps */
                keeper?: string;
                /** Only changed at this time or later */
                updatedSince?: string;
                /** Only changed at this time or earlier */
                updatedUntil?: string;
                /** Within so many metres of the route; 200 when not given */
                within?: number;
                /** The format, instead of the Accept header */
                format?: "json" | "geojson" | "gpx";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Route"];
                "application/gpx+xml": string;
            };
        };
        responses: {
            /** The waypoints, each with metres from the start (`along`) and beside the route (`off`) */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waypoints": [
                     *         {
                     *           "waypoint": {
                     *             "id": 1,
                     *             "name": "Running fountain",
                     *             "latitude": 47.36975,
                     *             "longitude": 8.599256,
                     *             "amenities": [
                     *               "fountain"
                     *             ],
                     *             "region": "Zürich",
                     *             "drinkable": "yes",
                     *             "access": "yes",
                     *             "approved": true,
                     *             "verified": false,
                     *             "addedByUserId": "api",
                     *             "createdAt": "2026-06-01T08:00:03.000Z",
                     *             "updatedAt": "2026-06-01T08:02:20.000Z",
                     *             "nameIsMade": true,
                     *             "license": "CC0-1.0",
                     *             "attribution": "Stadt Zürich"
                     *           },
                     *           "along": 1288.6,
                     *           "off": 30.8
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        waypoints: components["schemas"]["PassedWaypoint"][];
                    };
                    "application/geo+json": Record<string, never>;
                    "application/gpx+xml": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getWaypoint: {
        parameters: {
            query?: {
                /** What else the response is to have: `rating`, `photos`, or both joined by commas */
                include?: ("rating" | "photos")[];
            };
            header?: never;
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The waypoint, what happened to it (oldest first), and where it came from */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "waypoint": {
                     *         "license": "CC0-1.0",
                     *         "attribution": "Stadt Zürich",
                     *         "id": 1,
                     *         "name": "Running fountain",
                     *         "latitude": 47.36975,
                     *         "longitude": 8.599256,
                     *         "amenities": [
                     *           "fountain"
                     *         ],
                     *         "region": "Zürich",
                     *         "drinkable": "yes",
                     *         "access": "yes",
                     *         "approved": true,
                     *         "verified": false,
                     *         "addedByUserId": "api",
                     *         "createdAt": "2026-06-01T08:00:03.000Z",
                     *         "updatedAt": "2026-06-01T08:02:20.000Z",
                     *         "nameIsMade": true
                     *       },
                     *       "status": {
                     *         "state": "unconfirmed",
                     *         "supporters": 0
                     *       },
                     *       "logs": [
                     *         {
                     *           "id": 3,
                     *           "bubblerId": 1,
                     *           "userId": "api",
                     *           "action": "created",
                     *           "timestamp": "2026-06-01T08:00:03.000Z"
                     *         },
                     *         {
                     *           "id": 39,
                     *           "bubblerId": 1,
                     *           "userId": "person-1",
                     *           "action": "edited",
                     *           "timestamp": "2026-06-01T08:00:32.000Z"
                     *         }
                     *       ],
                     *       "sources": [
                     *         {
                     *           "id": 1,
                     *           "name": "City of Zürich, Brunnen",
                     *           "url": "https://data.stadt-zuerich.ch",
                     *           "license": "CC0-1.0",
                     *           "attribution": "Stadt Zürich",
                     *           "ref": "510",
                     *           "firstSeen": "2026-06-01T08:00:03.000Z",
                     *           "lastSeen": "2026-06-01T08:00:05.000Z",
                     *           "published": "2021-05-01"
                     *         }
                     *       ],
                     *       "logsTotal": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        waypoint: components["schemas"]["ListedWaypoint"];
                        place?: components["schemas"]["WaypointPlace"];
                        status: components["schemas"]["Status"];
                        rating?: components["schemas"]["RatingSummary"];
                        photos?: components["schemas"]["Photo"][];
                        logs: components["schemas"]["HistoryEntry"][];
                        sources: components["schemas"]["WaypointSource"][];
                        /** How many entries there are about it */
                        logsTotal: number;
                        /** Path and query of the entries before those in `logs`; absent when there are none */
                        moreLogs?: string;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    deleteWaypoint: {
        parameters: {
            query?: {
                /** Why; it is public, in the log and among the acts of moderators */
                reason?: string;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
                /** The entity tag of a response to GET, or several, or `*`: 412 when somebody else has changed the fields since */
                "If-Match"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The waypoint as it was */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waypoint": {
                     *         "id": 9,
                     *         "name": "Drinking fountain",
                     *         "latitude": 48.8870852,
                     *         "longitude": 2.3394471,
                     *         "description": "20 Rue Norvins",
                     *         "amenities": [
                     *           "bubbler"
                     *         ],
                     *         "region": "Paris 18eme Arrondissement",
                     *         "approved": true,
                     *         "verified": false,
                     *         "addedByUserId": "api",
                     *         "createdAt": "2026-06-01T08:00:08.000Z",
                     *         "updatedAt": "2026-06-01T08:00:08.000Z",
                     *         "nameIsMade": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        waypoint: components["schemas"]["Waypoint"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            412: components["responses"]["PRECONDITION_FAILED"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updateWaypoint: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
                /** The entity tag of a response to GET, or several, or `*`: 412 when somebody else has changed the fields since */
                "If-Match"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WaypointPatch"];
            };
        };
        responses: {
            /** The waypoint */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": 1,
                     *       "name": "Running fountain",
                     *       "latitude": 47.36975,
                     *       "longitude": 8.599256,
                     *       "amenities": [
                     *         "fountain"
                     *       ],
                     *       "region": "Zürich",
                     *       "access": "yes",
                     *       "approved": true,
                     *       "verified": false,
                     *       "addedByUserId": "api",
                     *       "createdAt": "2026-06-01T08:00:03.000Z",
                     *       "updatedAt": "2026-06-01T08:00:32.000Z",
                     *       "description": "Beside Ms Meier’s door",
                     *       "drinkable": "yes",
                     *       "nameIsMade": true
                     *     }
                     */
                    "application/json": components["schemas"]["WaypointResponse"];
                };
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["INSUFFICIENT_XP.FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            412: components["responses"]["PRECONDITION_FAILED"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getOwnUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The profile, with e-mail address */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "user": {
                     *         "id": "api",
                     *         "name": "API",
                     *         "xp": 0,
                     *         "level": 1,
                     *         "createdAt": "1970-01-01T00:00:00.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 23,
                     *           "waypointsEdited": 3,
                     *           "reviewsPosted": 0
                     *         },
                     *         "isModerator": false,
                     *         "updatedAt": "1970-01-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    leave: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Leaving"];
            };
        };
        responses: {
            /** You have left, and the cookie `session` is cleared */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updateOwnUser: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            /** Your own profile */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "person-1",
                     *         "name": "Ada Brook",
                     *         "xp": 190,
                     *         "level": 2,
                     *         "createdAt": "2026-06-01T08:00:15.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 1,
                     *           "waypointsEdited": 4,
                     *           "reviewsPosted": 1
                     *         },
                     *         "email": "ada@fountains.example",
                     *         "isModerator": false,
                     *         "updatedAt": "2026-06-01T08:02:14.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updateAccount: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserPatch"];
            };
        };
        responses: {
            /** Your own profile */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "person-1",
                     *         "name": "Ada",
                     *         "xp": 190,
                     *         "level": 2,
                     *         "createdAt": "2026-06-01T08:00:15.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 1,
                     *           "waypointsEdited": 4,
                     *           "reviewsPosted": 1
                     *         },
                     *         "email": "ada@fountains.example",
                     *         "isModerator": false,
                     *         "updatedAt": "2026-06-01T08:02:16.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLeaderboard: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
                /** How many to leave out at the beginning */
                offset?: number;
                /** By what was earned since Monday, 0:00 UTC, instead of all XP */
                since?: "week";
                /** By what was earned at the fountains of this region, or of the place with this name; without observations, whose XP is one sum a day for all places */
                region?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of it, and how many users there are: all, or those who earned something then and there */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "leaderboard": [
                     *         {
                     *           "id": "person-3",
                     *           "name": "Mo",
                     *           "xp": 300,
                     *           "level": 3,
                     *           "stats": {
                     *             "waypointsCreated": 0,
                     *             "waypointsEdited": 2,
                     *             "reviewsPosted": 0
                     *           }
                     *         },
                     *         {
                     *           "id": "person-1",
                     *           "name": "Ada",
                     *           "xp": 190,
                     *           "level": 2,
                     *           "stats": {
                     *             "waypointsCreated": 1,
                     *             "waypointsEdited": 4,
                     *             "reviewsPosted": 1
                     *           }
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        leaderboard: components["schemas"]["LeaderboardEntry"][];
                        /** How many there are altogether */
                        total: number;
                        /**
                         * Format: date-time
                         * With `since`: from when on it counts
                         */
                        since?: string;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listOwnRemovals: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
                /** How many to leave out at the beginning */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "removals": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        removals: components["schemas"]["Removal"][];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listOwnObservations: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of them */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "observations": [
                     *         {
                     *           "id": 47,
                     *           "bubblerId": 3,
                     *           "kind": "broken",
                     *           "observedAt": "2026-06-01",
                     *           "near": false,
                     *           "observer": "ca8a0570f96669974d598580a9878f1c"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        observations: components["schemas"]["Observation"][];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listKeptWaypoints: {
        parameters: {
            query?: {
                /** Only those that are reported, broken or gone today */
                faults?: boolean;
                /** How many */
                limit?: number;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of them */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "fountains": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        /** The waypoints that the caller keeps */
                        fountains: {
                            waypoint: components["schemas"]["Waypoint"];
                            status: components["schemas"]["Status"];
                            reports: components["schemas"]["KeptReport"][];
                            photos: components["schemas"]["Photo"][];
                        }[];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The profile, without e-mail address; without a name for somebody who has left */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "user": {
                     *         "id": "person-1",
                     *         "xp": 190,
                     *         "level": 2,
                     *         "createdAt": "2026-06-01T08:00:15.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 1,
                     *           "waypointsEdited": 4,
                     *           "reviewsPosted": 1
                     *         },
                     *         "name": "Ada"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        user: components["schemas"]["PublicUser"] | components["schemas"]["FormerUser"];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listUsers: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
                /** How many to leave out at the beginning */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of public profiles, and how many users there are */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "users": [
                     *         {
                     *           "id": "person-1",
                     *           "name": "Ada",
                     *           "xp": 190,
                     *           "level": 2,
                     *           "createdAt": "2026-06-01T08:00:15.000Z",
                     *           "stats": {
                     *             "waypointsCreated": 1,
                     *             "waypointsEdited": 4,
                     *             "reviewsPosted": 1
                     *           }
                     *         },
                     *         {
                     *           "id": "person-2",
                     *           "name": "Bo",
                     *           "xp": 5,
                     *           "level": 1,
                     *           "createdAt": "2026-06-01T08:00:17.000Z",
                     *           "stats": {
                     *             "waypointsCreated": 0,
                     *             "waypointsEdited": 0,
                     *             "reviewsPosted": 1
                     *           }
                     *         }
                     *       ],
                     *       "total": 3,
                     *       "limit": 50,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        users: components["schemas"]["PublicUser"][];
                        /** How many there are altogether */
                        total: number;
                        /** The most of one page */
                        limit: number;
                        /** How many come before this page */
                        offset: number;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getUserById: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The profile, without e-mail address; without a name for somebody who has left */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "user": {
                     *         "id": "person-3",
                     *         "xp": 300,
                     *         "level": 3,
                     *         "createdAt": "2026-06-01T08:00:19.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 2,
                     *           "reviewsPosted": 0
                     *         },
                     *         "badge": "moderator",
                     *         "name": "Mo"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        user: components["schemas"]["PublicUser"] | components["schemas"]["FormerUser"];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getSignInOffer: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** What is configured */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "methods": [
                     *         "link"
                     *       ],
                     *       "providers": [],
                     *       "registration": "invite",
                     *       "user": null,
                     *       "photos": true
                     *     }
                     */
                    "application/json": components["schemas"]["SignInOfferResponse"];
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    redeemLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkRedemption"];
            };
        };
        responses: {
            /** Your profile; sets the cookie `session` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "ada",
                     *         "name": "Ada",
                     *         "xp": 0,
                     *         "level": 1,
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 0,
                     *           "reviewsPosted": 0
                     *         },
                     *         "email": "ada@fountains.example",
                     *         "isModerator": false,
                     *         "updatedAt": "2026-06-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended, and the cookie `session` is cleared */
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    sendCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeRequest"];
            };
        };
        responses: {
            /** Sent, where the address may be used; sets the cookie `signin` */
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sent": true
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /**
                         * True, whether or not there is an account: nobody learns that here
                         */
                        sent: true;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    redeemCode: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CodeRedemption"];
            };
        };
        responses: {
            /** Your profile; sets the cookie `session`, unless an address is added */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "ada",
                     *         "name": "Ada",
                     *         "xp": 0,
                     *         "level": 1,
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 0,
                     *           "reviewsPosted": 0
                     *         },
                     *         "email": "ada@fountains.example",
                     *         "isModerator": false,
                     *         "updatedAt": "2026-06-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getPasskeySignInOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The options; sets a cookie for ten minutes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "options": {
                     *         "rpId": "fountains.example",
                     *         "challenge": "…",
                     *         "timeout": 300000,
                     *         "userVerification": "required"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** Options of WebAuthn as JSON */
                        options: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeySignIn"];
            };
        };
        responses: {
            /** Your profile; sets the cookie `session` */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "ada",
                     *         "name": "Ada",
                     *         "xp": 0,
                     *         "level": 1,
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 0,
                     *           "reviewsPosted": 0
                     *         },
                     *         "email": "ada@fountains.example",
                     *         "isModerator": false,
                     *         "updatedAt": "2026-06-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        user: components["schemas"]["OwnUser"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkeys, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passkeys": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        passkeys: components["schemas"]["Passkey"][];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    addPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyAddition"];
            };
        };
        responses: {
            /** The passkey */
            201: {
                headers: {
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passkey": {
                     *         "id": 10,
                     *         "name": "Phone",
                     *         "isSynced": false,
                     *         "addedAt": "2026-06-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        passkey: components["schemas"]["Passkey"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getPasskeyAdditionOptions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The options; sets a cookie for ten minutes */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "options": {
                     *         "challenge": "…",
                     *         "rp": {
                     *           "name": "fountains.example",
                     *           "id": "fountains.example"
                     *         },
                     *         "user": {
                     *           "id": "…",
                     *           "name": "Ada",
                     *           "displayName": "Ada"
                     *         },
                     *         "pubKeyCredParams": [
                     *           {
                     *             "alg": -8,
                     *             "type": "public-key"
                     *           },
                     *           {
                     *             "alg": -7,
                     *             "type": "public-key"
                     *           }
                     *         ],
                     *         "timeout": 300000,
                     *         "attestation": "none",
                     *         "excludeCredentials": [],
                     *         "authenticatorSelection": {
                     *           "residentKey": "required",
                     *           "userVerification": "required",
                     *           "requireResidentKey": true
                     *         },
                     *         "extensions": {
                     *           "credProps": true
                     *         },
                     *         "hints": []
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** Options of WebAuthn as JSON */
                        options: {
                            [key: string]: unknown;
                        };
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the passkey */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The passkey is removed */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the passkey */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasskeyName"];
            };
        };
        responses: {
            /** The passkey */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "passkey": {
                     *         "id": 10,
                     *         "name": "Old phone",
                     *         "isSynced": false,
                     *         "addedAt": "2026-06-01T08:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        passkey: components["schemas"]["Passkey"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    beginProviderSignIn: {
        parameters: {
            query?: {
                /** The path on this server to which the browser comes back; / by default */
                returnTo?: string;
                /** Whether the provider is added to the account in which you are signed in since at most 10 minutes, instead of signing in */
                add?: boolean;
                /** The name of a new account; what the provider says by default */
                name?: string;
            };
            header?: never;
            path: {
                /** The id of the provider */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** To the provider; sets a cookie for ten minutes */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    endProviderSignIn: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the provider */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Signed in, or the provider was added; sets the cookie `session` */
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "identities": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        identities: components["schemas"]["Identity"][];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    removeIdentity: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the identity */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is removed */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            409: components["responses"]["CONFLICT"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Your sessions, oldest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "sessions": [
                     *         {
                     *           "id": 1,
                     *           "createdAt": "2026-06-01T08:00:16.000Z",
                     *           "expiresAt": "2026-07-01T08:00:16.000Z",
                     *           "lastUsedAt": "2026-06-01T08:00:16.000Z",
                     *           "isCurrent": true
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        sessions: components["schemas"]["Session"][];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    endOtherSessions: {
        parameters: {
            query?: {
                /** Whether your personal tokens are revoked too; false by default */
                tokens?: boolean;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** All sessions but this one have ended */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the session */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The session has ended */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listPersonalTokens: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Your tokens that are good, by id, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "tokens": [
                     *         {
                     *           "id": 9,
                     *           "name": "Script",
                     *           "createdAt": "2026-06-01T08:02:18.000Z",
                     *           "expiresAt": "2026-08-30T08:02:18.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        tokens: components["schemas"]["PersonalToken"][];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createPersonalToken: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonalTokenInput"];
            };
        };
        responses: {
            /** The token; its secret is shown this once and is not stored */
            201: {
                headers: {
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": {
                     *         "id": 9,
                     *         "name": "Script",
                     *         "createdAt": "2026-06-01T08:02:18.000Z",
                     *         "expiresAt": "2026-08-30T08:02:18.000Z"
                     *       },
                     *       "secret": "ofp_…"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        token: components["schemas"]["PersonalToken"];
                        /** The secret, which is not shown again */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    revokePersonalToken: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the token */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The token is no longer good */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    exportOwnData: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** One JSON document, as an attachment */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "user": {
                     *         "id": "ada",
                     *         "isModerator": false,
                     *         "xp": 0,
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 0,
                     *           "reviewsPosted": 0
                     *         },
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "name": "Ada",
                     *         "updatedAt": "2026-06-01T08:00:00.000Z"
                     *       },
                     *       "signedUp": true,
                     *       "identities": [
                     *         {
                     *           "id": 4,
                     *           "label": "ada@fountains.example",
                     *           "provider": "email",
                     *           "addedAt": "2026-06-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "passkeys": [
                     *         {
                     *           "id": 10,
                     *           "name": "Old phone",
                     *           "isSynced": false,
                     *           "addedAt": "2026-06-01T08:00:00.000Z",
                     *           "lastUsedAt": "2026-06-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "sessions": [
                     *         {
                     *           "id": 12,
                     *           "createdAt": "2026-06-01T08:00:00.000Z",
                     *           "lastUsedAt": "2026-06-01T08:00:00.000Z",
                     *           "expiresAt": "2026-07-01T08:00:00.000Z"
                     *         }
                     *       ],
                     *       "tokens": [],
                     *       "apiTokens": [],
                     *       "follows": [],
                     *       "devices": [],
                     *       "externalIds": [],
                     *       "reviews": [],
                     *       "photos": [
                     *         {
                     *           "id": 3,
                     *           "bubblerId": 1,
                     *           "userId": "ada",
                     *           "license": "CC-BY-4.0",
                     *           "alt": "A basin",
                     *           "createdAt": "2026-06-01T08:00:00.000Z",
                     *           "width": 2048,
                     *           "height": 1536,
                     *           "state": "waiting",
                     *           "sha256": "…",
                     *           "mediumSha256": "…",
                     *           "smallSha256": "…"
                     *         }
                     *       ],
                     *       "observations": [],
                     *       "reports": [],
                     *       "entries": [
                     *         {
                     *           "id": 3,
                     *           "at": "2026-06-01T08:00:00.000Z",
                     *           "by": "ada",
                     *           "subject": "photo",
                     *           "subjectId": 3,
                     *           "action": "created",
                     *           "fields": {
                     *             "alt": "A basin",
                     *             "height": 1536,
                     *             "license": "CC-BY-4.0",
                     *             "mediumSha256": "…",
                     *             "sha256": "…",
                     *             "smallSha256": "…",
                     *             "state": "waiting",
                     *             "waypoint": 1,
                     *             "width": 2048
                     *           },
                     *           "seed": "…",
                     *           "awards": [],
                     *           "links": {}
                     *         }
                     *       ],
                     *       "about": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-01T08:00:00.000Z",
                     *           "by": "api",
                     *           "subject": "user",
                     *           "subjectId": "ada",
                     *           "action": "created",
                     *           "fields": {},
                     *           "seed": "…",
                     *           "awards": [],
                     *           "links": {}
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": Record<string, never>;
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["REAUTHENTICATION_REQUIRED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listFollows: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The oldest first after `mine`, the fountains that you added or edited */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "follows": [
                     *         {
                     *           "id": "mine",
                     *           "what": {
                     *             "mine": true
                     *           },
                     *           "by": [
                     *             "web"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        follows: components["schemas"]["Follow"][];
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createFollow: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** What it is about */
                    what: {
                        /** The waypoint */
                        bubblerId?: number;
                        /** West, south, east and north in degrees */
                        bbox?: [
                            number,
                            number,
                            number,
                            number
                        ];
                        /** A place */
                        near?: {
                            /** Latitude, WGS 84, in degrees */
                            latitude: number;
                            /** Longitude, WGS 84, in degrees */
                            longitude: number;
                        };
                        /** Metres around the place */
                        radius?: number;
                        /** Only in this town, district or other region */
                        region?: string;
                        /** Only in this country, ISO 3166-1 alpha-2 */
                        country?: string;
                        /** Only in this part of a country, ISO 3166-2 */
                        subdivision?: string;
                        /** The name of a source */
                        source?: string;
                        /** Who looks after it */
                        maintainer?: string;
                        /**
                         * Whether it is about what the caller added or edited
                         */
                        mine?: true;
                        /**
                         * Whether it is about what waits for moderators
                         */
                        queue?: true;
                    };
                    /** Which events; all when absent */
                    events?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
                    /** The web alone, the default, or also mail, which needs a verified address, or push to your devices */
                    by?: ("web" | "mail" | "push")[];
                    /**
                     * How often there is a mail at most; default daily
                     */
                    rhythm?: "at-once" | "daily" | "weekly";
                };
            };
        };
        responses: {
            /** What you follow */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "follow": {
                     *         "id": "person-5",
                     *         "what": {
                     *           "near": {
                     *             "latitude": 55.7,
                     *             "longitude": 13.2
                     *           },
                     *           "radius": 500
                     *         },
                     *         "by": [
                     *           "web"
                     *         ],
                     *         "createdAt": "2026-06-01T08:03:20.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        follow: components["schemas"]["Follow"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    endFollow: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the follow */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It has ended */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    showPushKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The key */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "key": "…"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** In base64url */
                        key: string;
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    addDevice: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * The address at the push service, as the browser has it
                     */
                    endpoint: string;
                    /** The keys of the device */
                    keys: {
                        /** The public key, in base64url */
                        p256dh: string;
                        /** The secret of the device, in base64url */
                        auth: string;
                    };
                };
            };
        };
        responses: {
            /** It is told */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    endDevice: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /**
                     * Format: uri
                     * The address at the push service, as the browser has it
                     */
                    endpoint: string;
                };
            };
        };
        responses: {
            /** It is told nothing */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    askUnsubscribe: {
        parameters: {
            query: {
                /** That of the link in a mail */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It ends nothing */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    unsubscribe: {
        parameters: {
            query: {
                /** That of the link in a mail */
                token: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** They are ended */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listNotifications: {
        parameters: {
            query?: {
                /** The `entryId` of the last one on the page before */
                after?: number;
                /** How many */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The newest first */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "notifications": [],
                     *       "reports": [],
                     *       "unread": 0
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        notifications: components["schemas"]["Notification"][];
                        /** What was decided of your reports, on the first page alone */
                        reports: components["schemas"]["DecidedReport"][];
                        /** How many are not read */
                        unread: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    readNotifications: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** The `entryId` of the newest notification that you have read */
                    upTo?: number;
                    /**
                     * Format: date-time
                     * The `decidedAt` of the newest of your reports of which you have read
                     */
                    decisionsTo?: string;
                };
            };
        };
        responses: {
            /** How many are left */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "unread": 0
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** How many are not read */
                        unread: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listReviews: {
        parameters: {
            query?: {
                /** Only reviews by this user */
                userId?: string;
                /** Only reviews of this waypoint */
                bubblerId?: number;
                /** How many; all when not given */
                limit?: number;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The reviews, by id */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "reviews": [
                     *         {
                     *           "id": 1,
                     *           "bubblerId": 1,
                     *           "userId": "person-1",
                     *           "rating": 4,
                     *           "comment": "Cold <b>and</b> clear",
                     *           "createdAt": "2026-06-01T08:00:46.000Z",
                     *           "updatedAt": "2026-06-01T08:00:46.000Z"
                     *         },
                     *         {
                     *           "id": 3,
                     *           "bubblerId": 25,
                     *           "userId": "person-4",
                     *           "rating": 2,
                     *           "createdAt": "2026-06-01T08:02:23.000Z",
                     *           "updatedAt": "2026-06-01T08:02:25.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        reviews: components["schemas"]["Review"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createReview: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewInput"];
            };
        };
        responses: {
            /** The review */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "review": {
                     *         "id": 1,
                     *         "bubblerId": 1,
                     *         "userId": "person-1",
                     *         "rating": 4,
                     *         "comment": "Cold <b>and</b> clear",
                     *         "createdAt": "2026-06-01T08:00:46.000Z",
                     *         "updatedAt": "2026-06-01T08:00:46.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        review: components["schemas"]["Review"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["INSUFFICIENT_XP.FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    deleteReview: {
        parameters: {
            query: {
                /** The id of the review */
                id: number;
                /** Why; it is public, in the log and among the acts of moderators */
                reason?: string;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The deleted review */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "review": {
                     *         "id": 2,
                     *         "bubblerId": 1,
                     *         "userId": "person-2",
                     *         "rating": 2,
                     *         "comment": "Warm",
                     *         "createdAt": "2026-06-01T08:00:48.000Z",
                     *         "updatedAt": "2026-06-01T08:00:52.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        review: components["schemas"]["Review"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updateReview: {
        parameters: {
            query: {
                /** The id of the review */
                id: number;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReviewPatch"];
            };
        };
        responses: {
            /** The review */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "review": {
                     *         "id": 2,
                     *         "bubblerId": 1,
                     *         "userId": "person-2",
                     *         "rating": 2,
                     *         "createdAt": "2026-06-01T08:00:48.000Z",
                     *         "updatedAt": "2026-06-01T08:00:52.000Z",
                     *         "comment": "Warm"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        review: components["schemas"]["Review"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listWaypointPhotos: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The photos */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "photos": [
                     *         {
                     *           "id": 67,
                     *           "bubblerId": 1,
                     *           "userId": "person-1",
                     *           "license": "CC-BY-4.0",
                     *           "alt": "Two basins",
                     *           "createdAt": "2026-06-01T08:02:01.000Z",
                     *           "width": 2048,
                     *           "height": 1536,
                     *           "state": "shown",
                     *           "author": "Ada",
                     *           "urls": {
                     *             "large": "/api/photos/files/a1c31a6a6b368a34a6ffc71686d228282c04c7927a9eb23b09becae65e5ace34.webp",
                     *             "medium": "/api/photos/files/f06bac95f90394a1c10bcfbb56d3ba698bffcca5f5bd437190286ef147756d6c.webp",
                     *             "small": "/api/photos/files/30fae86aacc86512f05f496fd563f8ce04ac5236ad9ecfb76d5c1490016cd67c.webp"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        photos: components["schemas"]["Photo"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createPhoto: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** The photo */
                    photo: string;
                    /**
                     * The SPDX id of its licence; CC-BY-4.0 when not given
                     */
                    license?: "CC-BY-4.0" | "CC-BY-SA-4.0" | "CC0-1.0";
                    /** What it shows, for those who do not see it */
                    alt?: string;
                    /** When it was taken, as a day or a time in ISO 8601; the day is kept */
                    takenAt?: string;
                };
            };
        };
        responses: {
            /** The photo */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "photo": {
                     *         "id": 67,
                     *         "bubblerId": 1,
                     *         "userId": "person-1",
                     *         "license": "CC-BY-4.0",
                     *         "alt": "A basin",
                     *         "createdAt": "2026-06-01T08:02:01.000Z",
                     *         "width": 2048,
                     *         "height": 1536,
                     *         "state": "shown",
                     *         "author": "Ada",
                     *         "urls": {
                     *           "large": "/api/photos/files/a1c31a6a6b368a34a6ffc71686d228282c04c7927a9eb23b09becae65e5ace34.webp",
                     *           "medium": "/api/photos/files/f06bac95f90394a1c10bcfbb56d3ba698bffcca5f5bd437190286ef147756d6c.webp",
                     *           "small": "/api/photos/files/30fae86aacc86512f05f496fd563f8ce04ac5236ad9ecfb76d5c1490016cd67c.webp"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        photo: components["schemas"]["Photo"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listPhotos: {
        parameters: {
            query?: {
                /** Only photos by this user */
                userId?: string;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
                /** How many */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The photos */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "photos": [
                     *         {
                     *           "id": 67,
                     *           "bubblerId": 1,
                     *           "userId": "person-1",
                     *           "license": "CC-BY-4.0",
                     *           "alt": "Two basins",
                     *           "createdAt": "2026-06-01T08:02:01.000Z",
                     *           "width": 2048,
                     *           "height": 1536,
                     *           "state": "shown",
                     *           "author": "Ada",
                     *           "urls": {
                     *             "large": "/api/photos/files/a1c31a6a6b368a34a6ffc71686d228282c04c7927a9eb23b09becae65e5ace34.webp",
                     *             "medium": "/api/photos/files/f06bac95f90394a1c10bcfbb56d3ba698bffcca5f5bd437190286ef147756d6c.webp",
                     *             "small": "/api/photos/files/30fae86aacc86512f05f496fd563f8ce04ac5236ad9ecfb76d5c1490016cd67c.webp"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        photos: components["schemas"]["Photo"][];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    deletePhoto: {
        parameters: {
            query: {
                /** The id of the photo */
                id: number;
                /** Why; it is public, in the log and among the acts of moderators */
                reason?: string;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The deleted photo */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "photo": {
                     *         "id": 3,
                     *         "bubblerId": 1,
                     *         "userId": "ada",
                     *         "license": "CC-BY-4.0",
                     *         "alt": "A basin",
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "width": 2048,
                     *         "height": 1536,
                     *         "state": "waiting",
                     *         "author": "Ada",
                     *         "urls": {
                     *           "large": "/api/photos/files/a1c31a6a6b368a34a6ffc71686d228282c04c7927a9eb23b09becae65e5ace34.webp",
                     *           "medium": "/api/photos/files/f06bac95f90394a1c10bcfbb56d3ba698bffcca5f5bd437190286ef147756d6c.webp",
                     *           "small": "/api/photos/files/30fae86aacc86512f05f496fd563f8ce04ac5236ad9ecfb76d5c1490016cd67c.webp"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        photo: components["schemas"]["Photo"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getPhotoFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The name of the file */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/webp": string;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            404: components["responses"]["NOT_FOUND"];
            410: components["responses"]["GONE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updatePhoto: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the photo */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PhotoPatch"];
            };
        };
        responses: {
            /** The photo */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "photo": {
                     *         "id": 67,
                     *         "bubblerId": 1,
                     *         "userId": "person-1",
                     *         "license": "CC-BY-4.0",
                     *         "alt": "Two basins",
                     *         "createdAt": "2026-06-01T08:02:01.000Z",
                     *         "width": 2048,
                     *         "height": 1536,
                     *         "state": "shown",
                     *         "author": "Ada",
                     *         "urls": {
                     *           "large": "/api/photos/files/a1c31a6a6b368a34a6ffc71686d228282c04c7927a9eb23b09becae65e5ace34.webp",
                     *           "medium": "/api/photos/files/f06bac95f90394a1c10bcfbb56d3ba698bffcca5f5bd437190286ef147756d6c.webp",
                     *           "small": "/api/photos/files/30fae86aacc86512f05f496fd563f8ce04ac5236ad9ecfb76d5c1490016cd67c.webp"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        photo: components["schemas"]["Photo"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listObservations: {
        parameters: {
            query: {
                /** The waypoint */
                bubblerId: number;
                /** How many */
                limit?: number;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The observations, by id */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "observations": [
                     *         {
                     *           "id": 47,
                     *           "bubblerId": 3,
                     *           "kind": "broken",
                     *           "observedAt": "2026-06-01",
                     *           "near": false,
                     *           "observer": "ca8a0570f96669974d598580a9878f1c"
                     *         },
                     *         {
                     *           "id": 48,
                     *           "bubblerId": 3,
                     *           "kind": "broken",
                     *           "observedAt": "2026-06-01",
                     *           "near": false,
                     *           "observer": "d4b368d866b07fabc0bc95e9de602fa7",
                     *           "comment": "Valve"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        observations: components["schemas"]["Observation"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createObservation: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ObservationInput"];
            };
        };
        responses: {
            /** The observation, and what the waypoint is now */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "observation": {
                     *         "id": 47,
                     *         "bubblerId": 3,
                     *         "kind": "broken",
                     *         "observedAt": "2026-06-01",
                     *         "near": false,
                     *         "observer": "ca8a0570f96669974d598580a9878f1c"
                     *       },
                     *       "status": {
                     *         "state": "reported",
                     *         "since": "2026-06-01",
                     *         "supporters": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The observation */
                        observation: {
                            /** Identifier */
                            id?: number;
                            /** The waypoint */
                            bubblerId: number;
                            /**
                             * Its kind
                             */
                            kind: "works" | "broken" | "dry" | "dirty" | "blocked" | "gone" | "closed";
                            /**
                             * Format: date
                             * The day on which it was seen, UTC
                             */
                            observedAt: string;
                            /** Whether the observer is known to have been within 100 m */
                            near: boolean;
                            /** Who it was, by a pseudonym that holds for this waypoint alone */
                            observer?: string;
                            /**
                             * Whose word it is: of a moderator, the operator or a keeper
                             */
                            authority?: "moderator" | "operator" | "keeper";
                            /**
                             * Format: date
                             * The last day without water, UTC, where it is closed until then
                             */
                            until?: string;
                            /** A remark of whoever made it */
                            comment?: string;
                        };
                        status: components["schemas"]["Status"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listStatuses: {
        parameters: {
            query?: {
                /** Only those at which passers-by saw something on this day (UTC) or later; what others saw is in the log */
                seenSince?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The statuses by the ids of their waypoints, ascending */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "asOf": "2026-06-01",
                     *       "ttl": 86400,
                     *       "states": {
                     *         "3": {
                     *           "state": "broken",
                     *           "since": "2026-06-01",
                     *           "supporters": 2
                     *         },
                     *         "4": {
                     *           "state": "works",
                     *           "since": "2026-06-01",
                     *           "lastConfirmed": "2026-06-01",
                     *           "supporters": 1
                     *         },
                     *         "5": {
                     *           "state": "broken",
                     *           "since": "2026-06-01",
                     *           "supporters": 1
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        /**
                         * Format: date
                         * The day in UTC
                         */
                        asOf: string;
                        /** How long it is good for, in seconds */
                        ttl: number;
                        /** The state of each waypoint about which something is known, by its id */
                        states: {
                            [key: string]: components["schemas"]["Status"];
                        };
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createReport: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportInput"];
            };
        };
        responses: {
            /** The id of the report */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report": {
                     *         "id": 1
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The report as it is now */
                        report: {
                            /** Identifier */
                            id: number;
                        };
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    decideReport: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the report */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ReportDecision"];
            };
        };
        responses: {
            /** The report */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report": {
                     *         "reason": "wrong",
                     *         "state": "done",
                     *         "createdAt": "2026-06-01T08:01:12.000Z",
                     *         "bubblerId": 6,
                     *         "comment": "Not here",
                     *         "decidedAt": "2026-06-01T08:01:15.000Z",
                     *         "id": 1,
                     *         "by": {
                     *           "id": "person-2",
                     *           "name": "Bo"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        report: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    reopenReport: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the report */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The report */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "report": {
                     *         "reason": "wrong",
                     *         "state": "open",
                     *         "createdAt": "2026-06-01T08:01:12.000Z",
                     *         "bubblerId": 6,
                     *         "comment": "Not here",
                     *         "id": 1,
                     *         "by": {
                     *           "id": "person-2",
                     *           "name": "Bo"
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        report: components["schemas"]["Report"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getModerationQueue: {
        parameters: {
            query: {
                /** Which queue */
                kind: "unapproved" | "unverified" | "reported" | "duplicates" | "bursts" | "doubtful" | "photos";
                /** Of `doubtful`: those of the source with this name */
                source?: string;
                /** How many */
                limit?: number;
                /** `next` of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of the queue, and how long it is */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "items": [
                     *         {
                     *           "kind": "unapproved",
                     *           "waypoint": {
                     *             "id": 24,
                     *             "name": "Limmat quay",
                     *             "latitude": 47.3779,
                     *             "longitude": 8.5403,
                     *             "amenities": [
                     *               "bottle-filler"
                     *             ],
                     *             "region": "Zürich",
                     *             "approved": false,
                     *             "verified": false,
                     *             "addedByUserId": "person-1",
                     *             "createdAt": "2026-06-01T08:00:25.000Z",
                     *             "updatedAt": "2026-06-01T08:00:25.000Z"
                     *           },
                     *           "user": {
                     *             "id": "person-1",
                     *             "xp": 190,
                     *             "level": 2,
                     *             "createdAt": "2026-06-01T08:00:15.000Z",
                     *             "stats": {
                     *               "waypointsCreated": 1,
                     *               "waypointsEdited": 4,
                     *               "reviewsPosted": 1
                     *             },
                     *             "name": "Ada"
                     *           },
                     *           "why": "Nobody has approved it",
                     *           "since": "2026-06-01T08:00:25.000Z"
                     *         },
                     *         {
                     *           "kind": "unapproved",
                     *           "waypoint": {
                     *             "id": 25,
                     *             "name": "Eve’s spring",
                     *             "latitude": 47.37,
                     *             "longitude": 8.55,
                     *             "amenities": [],
                     *             "approved": false,
                     *             "verified": false,
                     *             "addedByUserId": "person-4",
                     *             "createdAt": "2026-06-01T08:02:22.000Z",
                     *             "updatedAt": "2026-06-01T08:02:25.000Z"
                     *           },
                     *           "user": {
                     *             "id": "person-4",
                     *             "xp": 105,
                     *             "level": 2,
                     *             "createdAt": "2026-06-01T08:02:21.000Z",
                     *             "stats": {
                     *               "waypointsCreated": 1,
                     *               "waypointsEdited": 0,
                     *               "reviewsPosted": 1
                     *             }
                     *           },
                     *           "why": "Nobody has approved it",
                     *           "since": "2026-06-01T08:02:22.000Z"
                     *         }
                     *       ],
                     *       "total": 2
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        items: components["schemas"]["QueueItem"][];
                        /** How many there are altogether */
                        total: number;
                        /** What the next page has as `after`; absent on the last one */
                        next?: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    decideDoubtfulRows: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RowDecisions"];
            };
        };
        responses: {
            /** What came of each, in the order of the decisions */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "rows": [
                     *         {
                     *           "id": 1,
                     *           "error": {
                     *             "code": "NOT_FOUND",
                     *             "message": "There is no such row: its source no longer lists it, or it is imported"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        rows: components["schemas"]["DecidedRow"][];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    changeManyWaypoints: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ManyInput"];
            };
        };
        responses: {
            /** The act, and the waypoints that changed */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "act": 65,
                     *       "changed": [
                     *         20,
                     *         21
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["ManyChangedResponse"];
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["INSUFFICIENT_XP.FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    setSeasonOfMany: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SeasonInput"];
            };
        };
        responses: {
            /** The act, and the waypoints that changed */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changed": [
                     *         22
                     *       ],
                     *       "matched": 2
                     *     }
                     */
                    "application/json": components["schemas"]["ManyChangedResponse"];
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["INSUFFICIENT_XP.FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getPersonWork: {
        parameters: {
            query: {
                /** Which work */
                kind: "waypoints" | "reviews" | "photos" | "observations" | "reports";
                /** How many */
                limit?: number;
                /** `next` of the page before */
                after?: number;
            };
            header?: never;
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of their work */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "user": {
                     *         "id": "person-2",
                     *         "xp": 5,
                     *         "level": 1,
                     *         "createdAt": "2026-06-01T08:00:17.000Z",
                     *         "stats": {
                     *           "waypointsCreated": 0,
                     *           "waypointsEdited": 0,
                     *           "reviewsPosted": 1
                     *         },
                     *         "name": "Bo"
                     *       },
                     *       "items": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        user: components["schemas"]["PublicUser"] | components["schemas"]["FormerUser"];
                        items: components["schemas"]["Work"][];
                        /** `after` of the next page; absent on the last */
                        next?: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listModerationActs: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
                /** `next` of the page before */
                after?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of acts */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "acts": [
                     *         {
                     *           "id": 80,
                     *           "kind": "redacted",
                     *           "timestamp": "2026-06-01T08:02:25.000Z",
                     *           "user": {
                     *             "id": "api",
                     *             "name": "API"
                     *           },
                     *           "reason": "its author left and asked for it",
                     *           "entries": [
                     *             80,
                     *             81,
                     *             82,
                     *             83
                     *           ],
                     *           "review": {
                     *             "id": 3,
                     *             "waypoint": {
                     *               "id": 25,
                     *               "name": "Eve’s spring"
                     *             }
                     *           },
                     *           "person": {
                     *             "id": "person-4"
                     *           }
                     *         },
                     *         {
                     *           "id": 74,
                     *           "kind": "redacted",
                     *           "timestamp": "2026-06-01T08:02:20.000Z",
                     *           "user": {
                     *             "id": "api",
                     *             "name": "API"
                     *           },
                     *           "reason": "Names a person",
                     *           "entries": [
                     *             74,
                     *             75
                     *           ],
                     *           "waypoint": {
                     *             "id": 1,
                     *             "name": "Running fountain"
                     *           },
                     *           "person": {
                     *             "id": "person-1",
                     *             "name": "Ada"
                     *           }
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        acts: components["schemas"]["ModerationAct"][];
                        /** What the next page has as `after`; absent on the last one */
                        next?: number;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    revertEntry: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the entry */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reasoned"];
            };
        };
        responses: {
            /** The entry that is undone, and the entries that undo it */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reverted": 60,
                     *       "entries": [
                     *         61
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The entries that were taken back */
                        reverted: number;
                        /** The entries that it made */
                        entries: number[];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    revertUser: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PersonRevert"];
            };
        };
        responses: {
            /** The entries that are undone, newest first, and those that stay */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "reverted": [
                     *         62,
                     *         47,
                     *         43,
                     *         40,
                     *         39,
                     *         38
                     *       ],
                     *       "conflicts": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The entries that were taken back */
                        reverted: number[];
                        conflicts: components["schemas"]["RevertConflict"][];
                        /** Absent when there is nothing more */
                        next?: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    undoAct: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the act */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ActUndo"];
            };
        };
        responses: {
            /** The entries of the act that are undone, newest first, and those that stay */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "undone": [
                     *         53
                     *       ],
                     *       "conflicts": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The entries that were taken back */
                        undone: number[];
                        conflicts: components["schemas"]["RevertConflict"][];
                        /** Absent when there is nothing more */
                        next?: number;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN.REAUTHENTICATION_REQUIRED"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    blockUser: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BlockInput"];
            };
        };
        responses: {
            /** The block that is in force */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "block": {
                     *         "reason": "Spam",
                     *         "until": "2026-07-01T00:00:00.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The block as it is now */
                        block: {
                            /** Why, in words */
                            reason: string;
                            /**
                             * Format: date-time
                             * The last time or day of it, UTC
                             */
                            until?: string;
                        };
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    unblockUser: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the user */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The user is not blocked */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    mergeWaypoint: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Merge"];
            };
        };
        responses: {
            /** The waypoint that is kept */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waypoint": {
                     *         "id": 7,
                     *         "name": "Running fountain",
                     *         "latitude": 47.36512,
                     *         "longitude": 8.562214,
                     *         "amenities": [
                     *           "fountain"
                     *         ],
                     *         "region": "Zürich",
                     *         "access": "yes",
                     *         "approved": true,
                     *         "verified": false,
                     *         "addedByUserId": "api",
                     *         "createdAt": "2026-06-01T08:00:03.000Z",
                     *         "updatedAt": "2026-06-01T08:00:03.000Z",
                     *         "nameIsMade": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        waypoint: components["schemas"]["Waypoint"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            429: components["responses"]["RATE_LIMITED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    restoreWaypoint: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Reasoned"];
            };
        };
        responses: {
            /** The waypoint */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "waypoint": {
                     *         "id": 9,
                     *         "name": "Drinking fountain",
                     *         "latitude": 48.8870852,
                     *         "longitude": 2.3394471,
                     *         "description": "20 Rue Norvins",
                     *         "amenities": [
                     *           "bubbler"
                     *         ],
                     *         "region": "Paris 18eme Arrondissement",
                     *         "approved": true,
                     *         "verified": false,
                     *         "addedByUserId": "api",
                     *         "createdAt": "2026-06-01T08:00:08.000Z",
                     *         "updatedAt": "2026-06-01T08:01:27.000Z",
                     *         "nameIsMade": true
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        waypoint: components["schemas"]["Waypoint"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            409: components["responses"]["CONFLICT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    distinguishWaypoint: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Distinction"];
            };
        };
        responses: {
            /** Their ids, the smaller one first */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "distinct": [
                     *         11,
                     *         12
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The two that are not the same */
                        distinct: [
                            number,
                            number
                        ];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getStats: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Counters, computed live */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "totalWaypoints": 23,
                     *       "totalVerifiedWaypoints": 1,
                     *       "totalUsers": 3,
                     *       "totalReviews": 2,
                     *       "totalContributions": 45
                     *     }
                     */
                    "application/json": components["schemas"]["StatisticsLicensedResponse"];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listLogs: {
        parameters: {
            query?: {
                /** Only entries of this waypoint */
                bubblerId?: number;
                /** Only what this user did */
                userId?: string;
                /** Only such actions */
                action?: "created" | "edited" | "approved" | "verified" | "deleted" | "unapproved" | "unverified";
                /** desc, the default, is newest first */
                order?: "asc" | "desc";
                /** Only entries with a greater id */
                after?: number;
                /** How many */
                limit?: number;
                /** How many to leave out at the beginning */
                offset?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries, and how many there are */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "logs": [
                     *         {
                     *           "id": 82,
                     *           "bubblerId": 25,
                     *           "userId": "api",
                     *           "action": "edited",
                     *           "changes": {
                     *             "description": null
                     *           },
                     *           "timestamp": "2026-06-01T08:02:25.000Z"
                     *         },
                     *         {
                     *           "id": 78,
                     *           "bubblerId": 25,
                     *           "userId": "person-4",
                     *           "action": "created",
                     *           "changes": {
                     *             "latitude": 47.37,
                     *             "longitude": 8.55,
                     *             "name": "Eve’s spring"
                     *           },
                     *           "timestamp": "2026-06-01T08:02:22.000Z",
                     *           "redacted": {
                     *             "reason": "its author left and asked for it",
                     *             "timestamp": "2026-06-01T08:02:25.000Z",
                     *             "fields": [
                     *               "description"
                     *             ]
                     *           }
                     *         }
                     *       ],
                     *       "total": 42,
                     *       "limit": 50,
                     *       "offset": 0
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        logs: components["schemas"]["LogEntry"][];
                        /** How many there are altogether */
                        total: number;
                        /** The most of one page */
                        limit: number;
                        /** How many come before this page */
                        offset: number;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getRecentLogs: {
        parameters: {
            query?: {
                /** How many */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Entries, most recent first; `total` is how many are returned */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "logs": [
                     *         {
                     *           "id": 82,
                     *           "bubblerId": 25,
                     *           "userId": "api",
                     *           "action": "edited",
                     *           "changes": {
                     *             "description": null
                     *           },
                     *           "timestamp": "2026-06-01T08:02:25.000Z",
                     *           "user": {
                     *             "name": "API"
                     *           },
                     *           "waypoint": {
                     *             "name": "Eve’s spring"
                     *           }
                     *         },
                     *         {
                     *           "id": 78,
                     *           "bubblerId": 25,
                     *           "userId": "person-4",
                     *           "action": "created",
                     *           "changes": {
                     *             "latitude": 47.37,
                     *             "longitude": 8.55,
                     *             "name": "Eve’s spring"
                     *           },
                     *           "timestamp": "2026-06-01T08:02:22.000Z",
                     *           "redacted": {
                     *             "reason": "its author left and asked for it",
                     *             "timestamp": "2026-06-01T08:02:25.000Z",
                     *             "fields": [
                     *               "description"
                     *             ]
                     *           },
                     *           "user": {},
                     *           "waypoint": {
                     *             "name": "Eve’s spring"
                     *           }
                     *         }
                     *       ],
                     *       "total": 3
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        logs: components["schemas"]["RecentLogEntry"][];
                        /** How many there are altogether */
                        total: number;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogHead: {
        parameters: {
            query?: {
                /** The head as it was with so many entries; default all */
                size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Id and time of the newest entry, and the root; id 0 while there is none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "head": {
                     *         "id": 83,
                     *         "hash": "0b75348c7f953ff1d7881b209b5628f3cbf37b0913a00ebb2b8f9886b2f8476d",
                     *         "timestamp": "2026-06-01T08:02:25.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        head: components["schemas"]["Head"];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getConsistency: {
        parameters: {
            query: {
                /** The number of entries of the older tree */
                from: number;
                /** The number of entries of the newer tree; default all */
                to?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The head of the newer tree, and the proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "head": {
                     *         "id": 83,
                     *         "hash": "0b75348c7f953ff1d7881b209b5628f3cbf37b0913a00ebb2b8f9886b2f8476d",
                     *         "timestamp": "2026-06-01T08:02:25.000Z"
                     *       },
                     *       "proof": [
                     *         "f9f7ed7f5bf5c2a56554be7fd76f5da3e4f6a2adc0c1af7c59a724964392f65e",
                     *         "af3e1e5a5579a080a770b8d9ffce8e4e3375cea98b3a65d9720097eda2e51799",
                     *         "edb50be9ae7522eac39476d92a411e7903c85e8f6c092468fe348cf5351566a9",
                     *         "e2327319e32178d687cc059b85fe503a8e236e2480b84f7fcf273d4806fc8d78",
                     *         "3b48c2debea93d363fce75d261e77db12d7099312d3f24ba07bd2c7ca33f316d",
                     *         "b4503d98564d8b52fa330d2a3ea0abd18bd9b4ec627b3ef378f7a807d4b397a2",
                     *         "9f7c930af7da118704a79d36bff1d65e4314b64ef3dde3454a4124d070cb2e10",
                     *         "694ea3a058d0d5d04cc29b38eb1b1135b36928cc95e206da6b6bfd250d47993c"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        head: components["schemas"]["Head"];
                        /** Hashes from the leaf upwards */
                        proof: string[];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLog: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the log entry */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The entry */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "log": {
                     *         "id": 82,
                     *         "bubblerId": 25,
                     *         "userId": "api",
                     *         "action": "edited",
                     *         "changes": {
                     *           "description": null
                     *         },
                     *         "timestamp": "2026-06-01T08:02:25.000Z",
                     *         "user": {
                     *           "id": "api",
                     *           "name": "API",
                     *           "level": 1
                     *         },
                     *         "waypoint": {
                     *           "id": 25,
                     *           "name": "Eve’s spring",
                     *           "latitude": 47.37,
                     *           "longitude": 8.55
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        log: components["schemas"]["DescribedLogEntry"];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getInclusion: {
        parameters: {
            query?: {
                /** The number of entries of the tree; default all */
                size?: number;
            };
            header?: never;
            path: {
                /** The id of the log entry */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The hash of the entry’s leaf, the head of the tree, and the proof */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "leaf": "af3e1e5a5579a080a770b8d9ffce8e4e3375cea98b3a65d9720097eda2e51799",
                     *       "head": {
                     *         "id": 83,
                     *         "hash": "0b75348c7f953ff1d7881b209b5628f3cbf37b0913a00ebb2b8f9886b2f8476d",
                     *         "timestamp": "2026-06-01T08:02:25.000Z"
                     *       },
                     *       "proof": [
                     *         "f9f7ed7f5bf5c2a56554be7fd76f5da3e4f6a2adc0c1af7c59a724964392f65e",
                     *         "edb50be9ae7522eac39476d92a411e7903c85e8f6c092468fe348cf5351566a9",
                     *         "e2327319e32178d687cc059b85fe503a8e236e2480b84f7fcf273d4806fc8d78",
                     *         "3b48c2debea93d363fce75d261e77db12d7099312d3f24ba07bd2c7ca33f316d",
                     *         "b4503d98564d8b52fa330d2a3ea0abd18bd9b4ec627b3ef378f7a807d4b397a2",
                     *         "9f7c930af7da118704a79d36bff1d65e4314b64ef3dde3454a4124d070cb2e10",
                     *         "694ea3a058d0d5d04cc29b38eb1b1135b36928cc95e206da6b6bfd250d47993c"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        /** SHA-256 in lower-case hexadecimal */
                        leaf: string;
                        head: components["schemas"]["Head"];
                        /** Hashes from the leaf upwards */
                        proof: string[];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogCheckpoint: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The note */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The keys */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogTile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                level: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                first: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogTile2: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                level: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                first: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                second: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getLogTile3: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                level: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                first: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                second: string;
                /** A part of the path of a tile, as C2SP tlog-tiles has it */
                third: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The tile */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listChanges: {
        parameters: {
            query?: {
                /** Only entries with a greater id */
                after?: number;
                /** How many */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of entries, the head of the log, and which line of history it is */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "changes": [
                     *         {
                     *           "id": 1,
                     *           "at": "2026-06-01T08:00:02.000Z",
                     *           "by": "api",
                     *           "subject": "source",
                     *           "subjectId": 1,
                     *           "action": "created",
                     *           "fields": {
                     *             "attribution": "Stadt Zürich",
                     *             "license": "CC0-1.0",
                     *             "name": "City of Zürich, Brunnen",
                     *             "url": "https://data.stadt-zuerich.ch"
                     *           },
                     *           "seed": "9972daab2c86459fdd783fe1be4e3280",
                     *           "awards": [],
                     *           "links": {}
                     *         },
                     *         {
                     *           "id": 2,
                     *           "at": "2026-06-01T08:00:02.000Z",
                     *           "by": "api",
                     *           "subject": "import",
                     *           "subjectId": 1,
                     *           "action": "started",
                     *           "fields": {
                     *             "file": {
                     *               "bytes": 2128,
                     *               "name": "zurich.geojson",
                     *               "sha256": "d93bab82e85b21774ed0253c1cfbf2966856e94d8c27004539b9ee2ecd835f8e"
                     *             },
                     *             "source": 1
                     *           },
                     *           "seed": "af9c0078d60d9708440f2fc887062cd7",
                     *           "awards": [],
                     *           "links": {}
                     *         }
                     *       ],
                     *       "head": {
                     *         "id": 83,
                     *         "hash": "0b75348c7f953ff1d7881b209b5628f3cbf37b0913a00ebb2b8f9886b2f8476d",
                     *         "timestamp": "2026-06-01T08:02:25.000Z"
                     *       },
                     *       "origin": "0123456789abcdef0123456789abcdef"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        changes: components["schemas"]["LoggedEntry"][];
                        head: components["schemas"]["Head"];
                        /** Which line of history this is, in hexadecimal */
                        origin: string;
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getChangesAtom: {
        parameters: {
            query?: {
                /** Only inside west,south,east,north in degrees; west beyond east crosses the antimeridian */
                bbox?: string;
                /** Nearest to latitude,longitude in degrees first */
                near?: string;
                /** Only within so many metres of `near` */
                radius?: number;
                /** Only in this region: the one that was given, or the place around those without one */
                region?: string;
                /** Only in this country, by its position: ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, by its position: ISO 3166-2 */
                subdivision?: string;
                /** Only those whose `maintainer` is this */
                maintainer?: string;
                /** Only from the source of this name */
                source?: string;
                /** Only of this waypoint */
                bubblerId?: number;
                /** Only such events, joined by commas */
                event?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
                /** Only what this user did; for that user and for moderators */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The feed, the newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": string;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getChangesJson: {
        parameters: {
            query?: {
                /** Only inside west,south,east,north in degrees; west beyond east crosses the antimeridian */
                bbox?: string;
                /** Nearest to latitude,longitude in degrees first */
                near?: string;
                /** Only within so many metres of `near` */
                radius?: number;
                /** Only in this region: the one that was given, or the place around those without one */
                region?: string;
                /** Only in this country, by its position: ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, by its position: ISO 3166-2 */
                subdivision?: string;
                /** Only those whose `maintainer` is this */
                maintainer?: string;
                /** Only from the source of this name */
                source?: string;
                /** Only of this waypoint */
                bubblerId?: number;
                /** Only such events, joined by commas */
                event?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
                /** Only what this user did; for that user and for moderators */
                userId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The feed, the newest first */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/feed+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The oldest first, without their secrets */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhooks": [],
                     *       "isPaused": false
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        webhooks: components["schemas"]["Webhook"][];
                        /** Whether nothing is sent until the operator resumes it: after a restore or a copy */
                        isPaused: boolean;
                    };
                };
            };
            401: components["responses"]["UNAUTHORIZED"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Its address */
                    url: string;
                    /** What it is about */
                    what?: {
                        /** West, south, east and north in degrees */
                        bbox?: [
                            number,
                            number,
                            number,
                            number
                        ];
                        /** Only in this town, district or other region */
                        region?: string;
                        /** Only in this country, ISO 3166-1 alpha-2 */
                        country?: string;
                        /** Only in this part of a country, ISO 3166-2 */
                        subdivision?: string;
                        /** The name of a source */
                        source?: string;
                        /** Who looks after it */
                        maintainer?: string;
                        /** The waypoint */
                        bubblerId?: number;
                        /** A place */
                        near?: {
                            /** Latitude, WGS 84, in degrees */
                            latitude: number;
                            /** Longitude, WGS 84, in degrees */
                            longitude: number;
                            /** Metres around the place */
                            radius: number;
                        };
                        /** Identifier of who did it */
                        userId?: string;
                    };
                    /** Which events; all when absent */
                    events?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
                    /** What is to be known of it */
                    description?: string;
                };
            };
        };
        responses: {
            /** The webhook; its secret is shown this once */
            201: {
                headers: {
                    /** The address of what was made */
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "ada",
                     *         "url": "https://city.example/hook",
                     *         "what": {},
                     *         "place": 4,
                     *         "attempts": 0,
                     *         "kept": [],
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "active": true
                     *       },
                     *       "secret": "…"
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        webhook: components["schemas"]["Webhook"];
                        /** The secret, which is not shown again */
                        secret: string;
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** It is removed */
            204: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the webhook */
                id: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** Its address */
                    url?: string;
                    /** What it is about */
                    what?: {
                        /** West, south, east and north in degrees */
                        bbox?: [
                            number,
                            number,
                            number,
                            number
                        ];
                        /** Only in this town, district or other region */
                        region?: string;
                        /** Only in this country, ISO 3166-1 alpha-2 */
                        country?: string;
                        /** Only in this part of a country, ISO 3166-2 */
                        subdivision?: string;
                        /** The name of a source */
                        source?: string;
                        /** Who looks after it */
                        maintainer?: string;
                        /** The waypoint */
                        bubblerId?: number;
                        /** A place */
                        near?: {
                            /** Latitude, WGS 84, in degrees */
                            latitude: number;
                            /** Longitude, WGS 84, in degrees */
                            longitude: number;
                            /** Metres around the place */
                            radius: number;
                        };
                        /** Identifier of who did it */
                        userId?: string;
                    };
                    /** Which events; all when absent */
                    events?: ("created" | "edited" | "moved" | "removed" | "restored" | "merged" | "approved" | "unapproved" | "verified" | "unverified" | "broken" | "works" | "off" | "gone" | "closed" | "photo" | "review")[];
                    /** What is to be known of it */
                    description?: string;
                    /** Whether it is in use */
                    active?: boolean;
                };
            };
        };
        responses: {
            /** The webhook */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "webhook": {
                     *         "id": "ada",
                     *         "url": "https://city.example/hook",
                     *         "what": {},
                     *         "place": 4,
                     *         "attempts": 0,
                     *         "kept": [],
                     *         "createdAt": "2026-06-01T08:00:00.000Z",
                     *         "active": false
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listBoundingBoxes: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The active ones, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "boundingBoxes": [
                     *         {
                     *           "id": 1,
                     *           "name": "Works",
                     *           "color": "#ff8c00",
                     *           "coordinates": [
                     *             [
                     *               [
                     *                 8.5,
                     *                 47.3
                     *               ],
                     *               [
                     *                 8.6,
                     *                 47.3
                     *               ],
                     *               [
                     *                 8.6,
                     *                 47.4
                     *               ],
                     *               [
                     *                 8.5,
                     *                 47.3
                     *               ]
                     *             ]
                     *           ],
                     *           "properties": {},
                     *           "active": true,
                     *           "createdAt": "2026-06-01T08:02:09.000Z",
                     *           "updatedAt": "2026-06-01T08:02:09.000Z"
                     *         },
                     *         {
                     *           "id": 2,
                     *           "name": "Over",
                     *           "color": "#ff8c00",
                     *           "coordinates": [
                     *             [
                     *               [
                     *                 8.5,
                     *                 47.3
                     *               ],
                     *               [
                     *                 8.6,
                     *                 47.3
                     *               ],
                     *               [
                     *                 8.6,
                     *                 47.4
                     *               ],
                     *               [
                     *                 8.5,
                     *                 47.3
                     *               ]
                     *             ]
                     *           ],
                     *           "properties": {},
                     *           "active": true,
                     *           "createdAt": "2026-06-01T08:02:10.000Z",
                     *           "updatedAt": "2026-06-01T08:02:12.000Z"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        boundingBoxes: components["schemas"]["BoundingBox"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    createBoundingBox: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BoundingBoxInput"];
            };
        };
        responses: {
            /** The area */
            201: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "boundingBox": {
                     *         "id": 1,
                     *         "name": "Works",
                     *         "color": "#ff8c00",
                     *         "coordinates": [
                     *           [
                     *             [
                     *               8.5,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.4
                     *             ],
                     *             [
                     *               8.5,
                     *               47.3
                     *             ]
                     *           ]
                     *         ],
                     *         "properties": {},
                     *         "active": true,
                     *         "createdAt": "2026-06-01T08:02:09.000Z",
                     *         "updatedAt": "2026-06-01T08:02:09.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        boundingBox: components["schemas"]["BoundingBox"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT.INVALID_COORDINATES"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    deleteBoundingBox: {
        parameters: {
            query?: {
                /** The id of the area */
                id?: number;
            };
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["BoundingBoxReference"];
            };
        };
        responses: {
            /** The area as it was */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "boundingBox": {
                     *         "id": 2,
                     *         "name": "Over",
                     *         "color": "#ff8c00",
                     *         "coordinates": [
                     *           [
                     *             [
                     *               8.5,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.4
                     *             ],
                     *             [
                     *               8.5,
                     *               47.3
                     *             ]
                     *           ]
                     *         ],
                     *         "properties": {},
                     *         "active": true,
                     *         "createdAt": "2026-06-01T08:02:10.000Z",
                     *         "updatedAt": "2026-06-01T08:02:10.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        boundingBox: components["schemas"]["BoundingBox"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            408: components["responses"]["REQUEST_TIMEOUT"];
            413: components["responses"]["PAYLOAD_TOO_LARGE"];
            415: components["responses"]["UNSUPPORTED_MEDIA_TYPE"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    restoreBoundingBox: {
        parameters: {
            query?: never;
            header?: {
                /** A key that you make up for this act, best a UUID. Sent again with the same key within 30 days, the request is not made again. */
                "Idempotency-Key"?: string;
                /** The id of the user whom this is from, percent-encoded: 401 when the credential is of somebody else, as when another account has signed in on the same browser meanwhile */
                "Signed-In-As"?: string;
            };
            path: {
                /** The id of the bounding box */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The area */
            200: {
                headers: {
                    /** `true` where the request had been made before under its Idempotency-Key */
                    "Idempotency-Replayed"?: "true";
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "boundingBox": {
                     *         "id": 2,
                     *         "name": "Over",
                     *         "color": "#ff8c00",
                     *         "coordinates": [
                     *           [
                     *             [
                     *               8.5,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.3
                     *             ],
                     *             [
                     *               8.6,
                     *               47.4
                     *             ],
                     *             [
                     *               8.5,
                     *               47.3
                     *             ]
                     *           ]
                     *         ],
                     *         "properties": {},
                     *         "active": true,
                     *         "createdAt": "2026-06-01T08:02:10.000Z",
                     *         "updatedAt": "2026-06-01T08:02:12.000Z"
                     *       }
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        boundingBox: components["schemas"]["BoundingBox"];
                    };
                };
            };
            400: components["responses"]["INVALID_INPUT"];
            401: components["responses"]["UNAUTHORIZED"];
            403: components["responses"]["FORBIDDEN"];
            404: components["responses"]["NOT_FOUND"];
            422: components["responses"]["IDEMPOTENCY_MISMATCH"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE.CLOCK_BEHIND"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listSources: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** All sources, by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "sources": [
                     *         {
                     *           "id": 1,
                     *           "name": "City of Zürich, Brunnen",
                     *           "url": "https://data.stadt-zuerich.ch",
                     *           "license": "CC0-1.0",
                     *           "attribution": "Stadt Zürich",
                     *           "createdAt": "2026-06-01T08:00:02.000Z",
                     *           "updatedAt": "2026-06-01T08:00:02.000Z",
                     *           "waypoints": 7,
                     *           "lastImport": "2026-06-01T08:00:05.000Z",
                     *           "published": "2021-05-01"
                     *         },
                     *         {
                     *           "id": 2,
                     *           "name": "Ville de Paris, fontaines à boire",
                     *           "url": "https://opendata.paris.fr",
                     *           "license": "ODbL-1.0",
                     *           "attribution": "Ville de Paris",
                     *           "createdAt": "2026-06-01T08:00:07.000Z",
                     *           "updatedAt": "2026-06-01T08:00:07.000Z",
                     *           "waypoints": 7,
                     *           "lastImport": "2026-06-01T08:00:10.000Z",
                     *           "published": "2022-06-01"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        sources: components["schemas"]["Source"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getDataset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The dataset, or one for each licence, with a distribution for each file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/ld+json": Record<string, never>;
                    "text/turtle": string;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            404: components["responses"]["NOT_FOUND"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    listExports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The files of the newest export; none when there is none */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "license": "ODbL-1.0",
                     *       "exports": []
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The licence of the data: an SPDX id or a name */
                        license: string;
                        exports: components["schemas"]["ExportFile"][];
                    };
                };
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getExport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** A name from GET /api/exports */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** The asked-for range of it */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getExportOfLicense: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The folder of a licence */
                license: string;
                /** The name of a file in it */
                file: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The file */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/octet-stream": string;
                };
            };
            /** The asked-for range of it */
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["INVALID_INPUT"];
            404: components["responses"]["NOT_FOUND"];
            416: components["responses"]["RANGE_NOT_SATISFIABLE"];
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getOgc: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Where everything is */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "title": "Fountains of three cities",
                     *       "description": "Public water fountains, by Water Club, under ODbL-1.0",
                     *       "links": [
                     *         {
                     *           "href": "http://fountains.test/ogc",
                     *           "rel": "self",
                     *           "type": "application/json",
                     *           "title": "This page"
                     *         },
                     *         {
                     *           "href": "http://fountains.test/ogc/api",
                     *           "rel": "service-desc",
                     *           "type": "application/vnd.oai.openapi+json;version=3.0",
                     *           "title": "The description"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** A name for people */
                        title: string;
                        /** What is to be known of it */
                        description: string;
                        links: components["schemas"]["OgcLink"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcConformance: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Their addresses */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "conformsTo": [
                     *         "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/core",
                     *         "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/geojson",
                     *         "http://www.opengis.net/spec/ogcapi-features-1/1.0/conf/oas30",
                     *         "http://www.opengis.net/spec/ogcapi-features-2/1.0/conf/crs"
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        /** The requirement classes that it conforms to */
                        conformsTo: string[];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcApi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/vnd.oai.openapi+json;version=3.0": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    listOgcCollections: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** All of them */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "links": [
                     *         {
                     *           "href": "http://fountains.test/ogc/collections",
                     *           "rel": "self",
                     *           "type": "application/json"
                     *         },
                     *         {
                     *           "href": "https://spdx.org/licenses/ODbL-1.0.html",
                     *           "rel": "license",
                     *           "type": "text/html",
                     *           "title": "ODbL-1.0"
                     *         }
                     *       ],
                     *       "collections": [
                     *         {
                     *           "id": "waypoints",
                     *           "title": "Fountains of three cities",
                     *           "description": "Public water fountains, by Water Club, under ODbL-1.0",
                     *           "itemType": "feature",
                     *           "extent": {
                     *             "spatial": {
                     *               "bbox": [
                     *                 [
                     *                   2.28515625,
                     *                   47.36480712890625,
                     *                   16.3970947265625,
                     *                   48.88916015625
                     *                 ]
                     *               ],
                     *               "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
                     *             },
                     *             "temporal": {
                     *               "interval": [
                     *                 [
                     *                   null,
                     *                   null
                     *                 ]
                     *               ]
                     *             }
                     *           },
                     *           "crs": [
                     *             "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                     *             "http://www.opengis.net/def/crs/EPSG/0/4326",
                     *             "http://www.opengis.net/def/crs/EPSG/0/3857"
                     *           ],
                     *           "storageCrs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                     *           "links": [
                     *             {
                     *               "href": "http://fountains.test/ogc/collections/waypoints",
                     *               "rel": "self",
                     *               "type": "application/json"
                     *             },
                     *             {
                     *               "href": "http://fountains.test/ogc/collections/waypoints/items",
                     *               "rel": "items",
                     *               "type": "application/geo+json",
                     *               "title": "The fountains"
                     *             }
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Only with the request header API-Version: 6
                         */
                        success?: true;
                        links: components["schemas"]["OgcLink"][];
                        collections: components["schemas"]["OgcCollection"][];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcCollection: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Extent, reference systems and links */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "waypoints",
                     *       "title": "Fountains of three cities",
                     *       "description": "Public water fountains, by Water Club, under ODbL-1.0",
                     *       "itemType": "feature",
                     *       "extent": {
                     *         "spatial": {
                     *           "bbox": [
                     *             [
                     *               2.28515625,
                     *               47.36480712890625,
                     *               16.3970947265625,
                     *               48.88916015625
                     *             ]
                     *           ],
                     *           "crs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84"
                     *         },
                     *         "temporal": {
                     *           "interval": [
                     *             [
                     *               null,
                     *               null
                     *             ]
                     *           ]
                     *         }
                     *       },
                     *       "crs": [
                     *         "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                     *         "http://www.opengis.net/def/crs/EPSG/0/4326",
                     *         "http://www.opengis.net/def/crs/EPSG/0/3857"
                     *       ],
                     *       "storageCrs": "http://www.opengis.net/def/crs/OGC/1.3/CRS84",
                     *       "links": [
                     *         {
                     *           "href": "http://fountains.test/ogc/collections/waypoints",
                     *           "rel": "self",
                     *           "type": "application/json"
                     *         },
                     *         {
                     *           "href": "http://fountains.test/ogc/collections/waypoints/items",
                     *           "rel": "items",
                     *           "type": "application/geo+json",
                     *           "title": "The fountains"
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["OgcCollectionResponse"];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcQueryables: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A JSON Schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcSchema: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A JSON Schema */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/schema+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    listOgcItems: {
        parameters: {
            query?: {
                /** Only those whose `name` is this */
                name?: string;
                /** Only those whose `description` is this */
                description?: string;
                /** Only those whose `image` is this */
                image?: string;
                /** Only those whose `maintainer` is this */
                maintainer?: string;
                /** Only in this region: the one that was given, or the place around those without one */
                region?: string;
                /** Only those whose `openingHours` is this */
                openingHours?: string;
                /** Only those whose `season` is this */
                season?: string;
                /** Only those whose water is declared so */
                drinkable?: "yes" | "no" | "unsigned";
                /** Only those that these may use */
                access?: "yes" | "customers" | "private" | "unknown";
                /** Only those whose `addedByUserId` is this */
                addedByUserId?: string;
                /** Only those whose `createdAt` is this */
                createdAt?: string;
                /** Only those whose `updatedAt` is this */
                updatedAt?: string;
                /** Only this one */
                id?: number;
                /** Only with this amenity; with all of them when given several times */
                amenity?: string[];
                /** Only in this country, by its position: ISO 3166-1 alpha-2 */
                country?: string;
                /** Only in this part of a country, by its position: ISO 3166-2 */
                subdivision?: string;
                /** Only approved ones, or only others */
                approved?: boolean;
                /** Only verified ones, or only others */
                verified?: boolean;
                /** Only from the source of this name */
                source?: string;
                /** Only under this licence: that of a source, or the registry's for those without one */
                license?: string;
                /** Only those that are one of these today, joined by commas; `usable` alone is the same as usable=true */
                status?: ("works" | "unconfirmed" | "reported" | "broken" | "off" | "gone" | "usable")[];
                /** Only those that are neither out of order, off, gone, private, nor declared not to be drinking water; or only others */
                usable?: boolean;
                /** Only those that the user with this id keeps */
                keeper?: string;
                /** Only with a greater id, to go through the list in pages */
                after?: number;
                /** Only inside this box: two corners in the axes of `bbox-crs`; heights are ignored. The first corner beyond the second in longitude crosses the antimeridian */
                bbox?: number[] & (unknown | unknown);
                /** The reference system of `bbox` */
                "bbox-crs"?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/4326" | "http://www.opengis.net/def/crs/EPSG/0/3857";
                /** The reference system of the geometries */
                crs?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/4326" | "http://www.opengis.net/def/crs/EPSG/0/3857";
                /** Only last changed at this time, or in this interval (RFC 3339; `..` is open) */
                datetime?: string;
                /** How many features; more than 1,000 are 1,000 */
                limit?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A page of features */
            200: {
                headers: {
                    /** The licence, and with `rel="next"` the next page of a full one, relative to the address asked for */
                    Link?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT.INVALID_COORDINATES"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOgcItem: {
        parameters: {
            query?: {
                /** The reference system of the geometry */
                crs?: "http://www.opengis.net/def/crs/OGC/1.3/CRS84" | "http://www.opengis.net/def/crs/EPSG/0/4326" | "http://www.opengis.net/def/crs/EPSG/0/3857";
            };
            header?: never;
            path: {
                /** The id of the waypoint */
                id: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The feature */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/geo+json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["OGC.INVALID_INPUT"];
            404: components["responses"]["OGC.NOT_FOUND"];
            500: components["responses"]["OGC.INTERNAL"];
            503: components["responses"]["OGC.UNAVAILABLE"];
            "4XX": components["responses"]["OGC.ERROR"];
            default: components["responses"]["OGC.ERROR"];
        };
    };
    getOpen311Discovery: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Service discovery of Open311 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "changeset": "2026-06-01T08:02:27.000Z",
                     *       "contact": "http://fountains.test/api",
                     *       "key_service": "Nothing is taken here, so there are no keys",
                     *       "endpoints": [
                     *         {
                     *           "specification": "http://wiki.open311.org/GeoReport_v2",
                     *           "url": "http://fountains.test/open311/v2",
                     *           "changeset": "2026-06-01T08:02:27.000Z",
                     *           "type": "production",
                     *           "formats": [
                     *             "application/json"
                     *           ]
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": {
                        /**
                         * Format: date-time
                         * The newest change, UTC
                         */
                        changeset: string;
                        /** Where to ask */
                        contact: string;
                        /** About keys */
                        key_service: string;
                        /** Where requests are read */
                        endpoints: {
                            /** The standard */
                            specification: string;
                            /** The address */
                            url: string;
                            /**
                             * Format: date-time
                             * The newest change, UTC
                             */
                            changeset: string;
                            /**
                             * Not for trying out
                             */
                            type: "production";
                            /** Media types */
                            formats: "application/json"[];
                        }[];
                    };
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Open311.INTERNAL"];
            503: components["responses"]["Open311.UNAVAILABLE"];
            "4XX": components["responses"]["Open311.ERROR"];
            default: components["responses"]["Open311.ERROR"];
        };
    };
    listOpen311Services: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Services of GeoReport v2 */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "service_code": "broken",
                     *         "service_name": "Gives no water",
                     *         "description": "A fountain is broken, dry, dirty or out of reach",
                     *         "metadata": false,
                     *         "type": "realtime",
                     *         "keywords": "fountain, water",
                     *         "group": "Fountains"
                     *       },
                     *       {
                     *         "service_code": "gone",
                     *         "service_name": "Gone",
                     *         "description": "A fountain is no longer there",
                     *         "metadata": false,
                     *         "type": "realtime",
                     *         "keywords": "fountain, water",
                     *         "group": "Fountains"
                     *       }
                     *     ]
                     */
                    "application/json": {
                        /**
                         * The service
                         */
                        service_code: "broken" | "gone";
                        /** Its name */
                        service_name: string;
                        /** What it is for */
                        description: string;
                        /**
                         * It has no questions
                         */
                        metadata: false;
                        /**
                         * Requests have an id at once
                         */
                        type: "realtime";
                        /** Joined by commas */
                        keywords: string;
                        /** The group of services */
                        group: string;
                    }[];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["Open311.INTERNAL"];
            503: components["responses"]["Open311.UNAVAILABLE"];
            "4XX": components["responses"]["Open311.ERROR"];
            default: components["responses"]["Open311.ERROR"];
        };
    };
    listOpen311Requests: {
        parameters: {
            query?: {
                /** Ignored: there is one jurisdiction */
                jurisdiction_id?: string;
                /** Only these, joined by commas, at most 50 */
                service_request_id?: string;
                /** Only these services, joined by commas */
                service_code?: string;
                /** `open`, `closed`, or both joined by a comma */
                status?: string;
                /** Only requests of that time or later */
                start_date?: string;
                /** Only requests of that time or earlier */
                end_date?: string;
                /** Which page of open requests; closed ones are on the first */
                page?: number;
                /** How many open ones a page has at most */
                page_size?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** Service requests of GeoReport v2, open ones by id */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "service_request_id": "3",
                     *         "status": "open",
                     *         "status_notes": "It is known to give no water",
                     *         "service_name": "Gives no water",
                     *         "service_code": "broken",
                     *         "description": "Running fountain",
                     *         "requested_datetime": "2026-06-01T00:00:00Z",
                     *         "updated_datetime": "2026-06-01T00:00:00Z",
                     *         "address": "Zürich",
                     *         "lat": 47.366126,
                     *         "long": 8.575753
                     *       },
                     *       {
                     *         "service_request_id": "5",
                     *         "status": "open",
                     *         "status_notes": "It is known to give no water",
                     *         "service_name": "Gives no water",
                     *         "service_code": "broken",
                     *         "description": "Water point",
                     *         "requested_datetime": "2026-06-01T00:00:00Z",
                     *         "updated_datetime": "2026-06-01T00:00:00Z",
                     *         "address": "Zürich",
                     *         "lat": 47.369323,
                     *         "long": 8.56439
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServiceRequest"][];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Open311.INVALID_INPUT"];
            500: components["responses"]["Open311.INTERNAL"];
            503: components["responses"]["Open311.UNAVAILABLE"];
            "4XX": components["responses"]["Open311.ERROR"];
            default: components["responses"]["Open311.ERROR"];
        };
    };
    getOpen311Request: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** The id of the waypoint, and `.json` */
                id: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** A list of it alone */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example [
                     *       {
                     *         "service_request_id": "1",
                     *         "status": "closed",
                     *         "status_notes": "Nobody has said of late that it gives no water",
                     *         "service_name": "Gives no water",
                     *         "service_code": "broken",
                     *         "description": "Running fountain",
                     *         "updated_datetime": "2026-06-01T08:02:20.000Z",
                     *         "address": "Zürich",
                     *         "lat": 47.36975,
                     *         "long": 8.599256
                     *       }
                     *     ]
                     */
                    "application/json": components["schemas"]["ServiceRequest"][];
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["Open311.INVALID_INPUT"];
            404: components["responses"]["Open311.NOT_FOUND"];
            500: components["responses"]["Open311.INTERNAL"];
            503: components["responses"]["Open311.UNAVAILABLE"];
            "4XX": components["responses"]["Open311.ERROR"];
            default: components["responses"]["Open311.ERROR"];
        };
    };
    getOpenapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "openapi": "3.1.0",
                     *       "info": {
                     *         "title": "openfountain",
                     *         "version": "1.0.0",
                     *         "summary": "Public water fountains: waypoints, reviews, contributors and an append-only log",
                     *         "description": "The data is under ODbL-1.0, by openfountain contributors.\n\nReads need no authentication. Writes take the cookie `session`, or a personal token or an API token in `Authorization: Bearer`; a request with both acts as the token.\n\nWith the request header `API-Version: 6` bodies also carry `success`, and errors `message`.\n\nWrites may carry an `Idempotency-Key`: sent again with the same key, they are not made again, and are answered from what is there.\n\nEvery response that may be cached has an ETag: send it back in If-None-Match, and an unchanged one is a 304. That of one waypoint stays good while others change: send it in If-Match with a write of it, which is refused with 412 when somebody else was faster. HEAD works wherever GET does.",
                     *         "license": {
                     *           "name": "ODbL-1.0",
                     *           "identifier": "ODbL-1.0"
                     *         }
                     *       },
                     *       "paths": {
                     *         "/api/health": {
                     *           "get": {
                     *             "operationId": "getHealth",
                     *             "tags": [
                     *               "Service"
                     *             ],
                     *             "summary": "Whether the service is healthy, for a supervisor",
                     *             "description": "Reads the database, and looks how old the newest backup and what is published are. Never rate-limited, never cached.",
                     *             "security": [],
                     *             "parameters": [],
                     *             "responses": {
                     *               "200": {
                     *                 "description": "It is",
                     *                 "content": {
                     *                   "application/json": {
                     *                     "example": {
                     *                       "license": "ODbL-1.0",
                     *                       "status": "ok",
                     *                       "version": "…",
                     *                       "build": 0,
                     *                       "revision": 51
                     *                     },
                     *                     "schema": {
                     *                       "$ref": "#/components/schemas/HealthLicensedResponse"
                     *                     }
                     *                   }
                     *                 }
                     *               },
                     *               "500": {
                     *                 "$ref": "#/components/responses/INTERNAL"
                     *               },
                     *               "503": {
                     *                 "$ref": "#/components/responses/UNAVAILABLE"
                     *               },
                     *               "4XX": {
                     *                 "$ref": "#/components/responses/ERROR"
                     *               },
                     *               "default": {
                     *                 "$ref": "#/components/responses/ERROR"
                     *               }
                     *             }
                     *           }
                     *         }
                     *       }
                     *     }
                     */
                    "application/json": Record<string, never>;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
    getDocs: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** The page */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            /** It is still what the entity tag in If-None-Match names */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            500: components["responses"]["INTERNAL"];
            503: components["responses"]["UNAVAILABLE"];
            "4XX": components["responses"]["ERROR"];
            default: components["responses"]["ERROR"];
        };
    };
}
